import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { account, accounts } from '@tara/contract/accounts';
import { adminWork } from '@tara/contract/admin';
import { adminMoney } from '@tara/contract/admin-money';
import { blocks } from '@tara/contract/blocks';
import type { Call } from '@tara/contract/calls';
import { admin } from '@tara/contract/confirmations';
import { conversations } from '@tara/contract/conversations';
import { disputes, requestCases } from '@tara/contract/disputes';
import { earnings } from '@tara/contract/earnings';
import { interactions } from '@tara/contract/interactions';
import { firstPages } from '@tara/contract/messages';
import { personalData } from '@tara/contract/personal-data';
import { plans } from '@tara/contract/plans';
import { posts } from '@tara/contract/posts';
import { profiles } from '@tara/contract/profiles';
import { receipts } from '@tara/contract/receipts';
import { reports } from '@tara/contract/reports';
import { reviews } from '@tara/contract/reviews';
import { secondFactor } from '@tara/contract/second-factor';
import { callUrl } from '@tara/contract/url';
import { verification } from '@tara/contract/verification';

/**
 * What each page reads first, besides the session: the calls of its loader. `id` of a call is that of the page. A page that
 * sends its reader elsewhere (an admin's screen, another member's history) does not use what was read: the calls check who asks.
 * `npm run check` compares both tables with the loaders (`scripts/setup/routes.mjs`).
 */
const firstCalls: Readonly<Record<string, readonly Call[]>> = {
  '/': [posts.feed],
  '/all-users': [profiles.people],
  '/chargebacks': [requestCases.chargebacks],
  '/chats': [conversations.list],
  '/confirm-plans': [admin.awaitingPlans],
  '/dispute/:id': [disputes.get],
  '/disputes': [requestCases.disputes],
  '/earnings': [earnings.get],
  '/explore': [posts.popular],
  '/manage-plans': [interactions.manager],
  '/no-answer': [requestCases.noAnswer],
  '/post/:id': [posts.get],
  '/post/:id/likes': [posts.likers],
  '/profile/:id': [profiles.get, posts.byCreator],
  '/profile/plan-details/:id': [plans.get],
  '/profile/plans/:id': [plans.byCreator],
  '/reports': [reports.open, reports.bannedRequests],
  '/review-details/:id': [reviews.get, reviews.comments],
  '/saved': [posts.saved],
  '/second-factor': [secondFactor.status],
  '/settings': [accounts.settings, account.listSessions, conversations.settings, personalData.get],
  '/settings/blocked': [blocks.blocked, blocks.muted],
  '/settings/delete': [personalData.get],
  '/update-plan/:id': [plans.get],
  '/update-post/:id': [posts.get],
  '/update-review/:id': [reviews.get],
  '/verify-users': [verification.pending],
  '/write-a-review/:id': [interactions.interaction],
};

/** The same where it takes something else than the id of the page: the addresses of the calls. */
const firstReads: Readonly<
  Record<string, (params: Record<string, string>, search: URLSearchParams) => string[]>
> = {
  '/chats/:id': (_, search) => {
    const mixId = search.get('mixId');
    const query = firstPages('conversation');
    return mixId ? [callUrl(conversations.conversation, { params: { mixId }, query })] : [];
  },
  '/manage-plans/conversation-receipt/:conversationReceipt': ({ conversationReceipt: id }) => [
    callUrl(receipts.receipt, { params: { id }, query: firstPages('receipt') }),
  ],
  '/money': () => [
    callUrl(adminWork.moneyOverview),
    callUrl(adminMoney.ledgerCheck),
    ...['toPayOut', 'failed'].map((list) => callUrl(adminMoney.openMoney, { params: { list } })),
  ],
  '/profile/friend-request/:id': () => [
    callUrl(interactions.interactionList, { params: { list: 'friendRequest' } }),
  ],
  '/profile/history/:id': () => [callUrl(interactions.interactionList, { params: { list: 'history' } })],
};

interface Chunk {
  file: string;
  isEntry?: boolean;
  imports?: readonly string[];
}
type Manifest = Readonly<Record<string, Chunk>>;

/**
 * `src/routes/_main/profile.$id.tsx` → `/profile/:id`; layouts and groups are no part of the path, nor the underline of a
 * route that is not shown within another.
 */
function pagePattern(file: string): string {
  const parts = file
    .replace(/^src\/routes\/|\.tsx$/g, '')
    .split(/[./]/)
    .filter((part) => part !== 'index' && !part.startsWith('_'));
  return `/${parts.map((part) => part.replace(/^\$/, ':').replace(/_$/, '')).join('/')}`;
}

/** The route files around a page's: `_main/_admin/a.tsx` has `_main.tsx` and `_main/_admin.tsx`. */
function layoutFiles(file: string): string[] {
  const folders = file.split('/').slice(0, -1);
  return folders.slice(2).map((_, index) => `${folders.slice(0, index + 3).join('/')}.tsx`);
}

/** The script files of each page, by its pattern: the app's own, the layouts', and the page's, each with its imports. */
export function pageScripts(manifest: Manifest): Map<string, string[]> {
  const chunks = new Map<string, string[]>();
  for (const key of Object.keys(manifest)) {
    const [file = ''] = key.split('?');
    if (file.startsWith('src/routes/') && !/(error|notFound)Component$/.test(key))
      chunks.set(file, [...(chunks.get(file) ?? []), key]);
  }
  const collect = (key: string, files: Set<string>) => {
    const chunk = manifest[key];
    if (chunk === undefined || files.has(chunk.file)) return;
    files.add(chunk.file);
    for (const imported of chunk.imports ?? []) collect(imported, files);
  };
  const entries = Object.keys(manifest).filter((key) => manifest[key]?.isEntry);
  const pages = new Map<string, string[]>();
  for (const file of chunks.keys()) {
    if (file.split('/').at(-1)?.startsWith('_')) continue;
    const files = new Set<string>();
    for (const key of [...entries, ...[...layoutFiles(file), file].flatMap((part) => chunks.get(part) ?? [])])
      collect(key, files);
    pages.set(
      pagePattern(file),
      [...files].filter((name) => name.endsWith('.js')),
    );
  }
  return pages;
}

/** The parameters of a path that fits a pattern, null where it does not. */
function matchPattern(pattern: string, path: string): Record<string, string> | null {
  const names = pattern.split('/');
  const values = path.replace(/(?<=.)\/$/, '').split('/');
  if (names.length !== values.length) return null;
  const params: Record<string, string> = {};
  for (const [index, name] of names.entries()) {
    const value = values[index] ?? '';
    if (!name.startsWith(':')) {
      if (name !== value) return null;
    } else if (value === '') return null;
    else params[name.slice(1)] = value;
  }
  return params;
}

/** The addresses that a page reads first. */
function readUrls(pattern: string, params: Record<string, string>, query: string): string[] {
  const first = firstReads[pattern];
  if (first) return first(params, new URLSearchParams(query));
  return query === '' ? (firstCalls[pattern] ?? []).map((call) => callUrl(call, { params })) : [];
}

const preloadLink = (url: string) => `<${url}>; rel=preload; as=fetch; crossorigin`;
const sessionLink = preloadLink(callUrl(accounts.session));

/**
 * The `Link` header of pages: the browser asks for the session, for what the page reads first and for its scripts while
 * it still reads the page, and the app's own requests are then answered by these. Most pages with a search read something
 * else first. Null for a path that is no page of the web. `path` is decoded; `isSignedIn` when the request has a session.
 */
export function firstLoadHeader(
  folder: string,
): (path: string, query: string, isSignedIn: boolean) => string | null {
  const file = join(folder, '.vite', 'manifest.json');
  const pages = existsSync(file)
    ? pageScripts(JSON.parse(readFileSync(file, 'utf8')) as Manifest)
    : new Map();
  // A page without parameters before one that takes anything.
  const patterns = [...pages.keys()].sort((a, b) => a.split(':').length - b.split(':').length);
  const scripts = new Map<string, string>(
    [...pages].map(([pattern, files]: [string, string[]]) => [
      pattern,
      files.map((name) => `</${name}>; rel=modulepreload`).join(', '),
    ]),
  );
  return (path, query, isSignedIn) => {
    for (const pattern of patterns) {
      const params = matchPattern(pattern, path);
      if (params === null) continue;
      const reads = isSignedIn ? readUrls(pattern, params, query) : [];
      return [sessionLink, ...reads.map(preloadLink), scripts.get(pattern)].join(', ');
    }
    return null;
  };
}
