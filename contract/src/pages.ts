import type { CallTables } from './all.ts';
import type { Call } from './calls.ts';
import { firstPages } from './limits.ts';

type TableName = keyof CallTables;
/** `posts.feed`: the name of a call's table, and its name in it. */
type CallName = { [Table in TableName]: `${Table}.${keyof CallTables[Table] & string}` }[TableName];

/**
 * One read of a page: a call whose parameters are those of the page, or one that takes something else. `:name` is a
 * parameter of the page, `?name` of its search; a read whose value is missing is left out.
 */
type PageRead =
  | CallName
  | {
      call: CallName;
      params?: Readonly<Record<string, string>>;
      query?: Readonly<Record<string, number>>;
      /** The page is whole without it, and of a list it shows the first page alone. */
      isOptional?: true;
    };

interface Page {
  reads: readonly PageRead[];
  /** With a search in its address the page reads something else. */
  bySearch?: true;
  /** Its form must not begin with an older state of the record. */
  fresh?: true;
}

/**
 * What each page reads first, besides the session. The web's loaders read it (`web/src/lib/load-page.ts`), and the `Link`
 * header of the page has the browser ask for it while it loads the code. A page that sends its reader elsewhere (an admin's
 * screen, another member's history) does not use what was read: the calls check who asks.
 */
export const pages = {
  '/': { reads: ['posts.feed'] },
  '/all-users': { reads: ['profiles.people'], bySearch: true },
  '/chargebacks': { reads: ['requestCases.chargebacks'] },
  '/chats': { reads: ['conversations.list'], bySearch: true },
  '/chats/:id': {
    reads: [
      {
        call: 'conversations.conversation',
        params: { mixId: '?mixId' },
        query: firstPages('conversation'),
      },
    ],
  },
  '/confirm-plans': { reads: ['admin.awaitingPlans'] },
  '/confirmation/:kind/:id': { reads: ['payments.confirmation'] },
  '/dispute/:id': { reads: ['disputes.get', { call: 'disputes.ownMessages', isOptional: true }] },
  '/disputes': { reads: ['requestCases.disputes'] },
  '/earnings': { reads: ['earnings.get'] },
  '/explore': { reads: ['posts.popular'], bySearch: true },
  '/find-payment': { reads: ['caseFiles.findMoney'], bySearch: true },
  '/manage-plans': { reads: ['interactions.manager'] },
  '/manage-plans/conversation-receipt/:conversationReceipt': {
    reads: [
      { call: 'receipts.receipt', params: { id: ':conversationReceipt' }, query: firstPages('receipt') },
    ],
  },
  '/money': {
    reads: [
      'adminWork.moneyOverview',
      'adminMoney.ledgerCheck',
      'adminMoney.unassignedDisputes',
      { call: 'adminMoney.openMoney', params: { list: 'toPayOut' } },
      { call: 'adminMoney.openMoney', params: { list: 'failed' } },
    ],
  },
  '/no-answer': { reads: ['requestCases.noAnswer'] },
  '/notifications': { reads: ['notifications.list'], bySearch: true },
  '/open-plan/:id': { reads: ['publicLinks.planId'] },
  '/post/:id': { reads: ['posts.get'] },
  '/post/:id/likes': { reads: ['posts.likers'] },
  '/profile/:id': {
    reads: ['profiles.get', 'posts.byCreator', { call: 'plans.byCreator', isOptional: true }],
    bySearch: true,
  },
  '/profile/friend-request/:id': {
    reads: [{ call: 'interactions.interactionList', params: { list: 'friendRequest' } }],
  },
  '/profile/history/:id': {
    reads: [{ call: 'interactions.interactionList', params: { list: 'history' } }],
  },
  '/profile/plan-details/:id': { reads: ['plans.get'] },
  '/profile/plans/:id': { reads: ['plans.byCreator'] },
  '/reports': { reads: ['reports.open', 'reports.bannedRequests'] },
  '/review-details/:id': { reads: ['reviews.get', 'reviews.comments'] },
  '/saved': { reads: ['posts.saved'] },
  '/second-factor': { reads: ['secondFactor.status'] },
  '/settings': {
    reads: [
      'accounts.settings',
      'account.listSessions',
      'oauth2.listIdentities',
      'devices.list',
      'conversations.settings',
      'personalData.get',
    ],
  },
  '/settings/blocked': { reads: ['blocks.blocked', 'blocks.muted'] },
  '/settings/delete': { reads: ['personalData.get', 'accounts.settings'] },
  '/settings/notifications': { reads: ['notificationSettings.get'] },
  '/timeline/:id': { reads: ['caseFiles.timeline'] },
  '/update-plan/:id': { reads: ['plans.get'], fresh: true },
  '/update-post/:id': { reads: ['posts.get'], fresh: true },
  '/update-review/:id': { reads: ['reviews.get'], fresh: true },
  '/verifying-identity': { reads: [{ call: 'verification.usualTime', isOptional: true }] },
  '/verify-users': { reads: ['verification.pending'] },
  '/welcome': {
    reads: [
      { call: 'plans.search', isOptional: true },
      { call: 'profiles.people', isOptional: true },
      { call: 'verification.usualTime', isOptional: true },
    ],
  },
  '/write-a-review/:id': { reads: ['interactions.interaction'] },
} as const satisfies Readonly<Record<`/${string}`, Page>>;

export type PagePath = keyof typeof pages;

type ReadName<Read> = Read extends { call: infer Name } ? Name : Read;
type TableNames<Path extends PagePath> =
  ReadName<(typeof pages)[Path]['reads'][number]> extends `${infer Table}.${string}` ? Table : never;
/** The tables of the calls that a page reads. */
export type PageTables<Path extends PagePath> = Pick<CallTables, TableNames<Path> & TableName>;

type Values = Readonly<Record<string, string | undefined>>;

/** A call with what it is asked for; without parameters where it has none. */
interface ResolvedRead {
  call: Call;
  params?: Record<string, string>;
  query?: Readonly<Record<string, number>>;
  isOptional?: true;
}

/** What a page reads first, with the parameters of its address and its search. */
export function resolveReads<Path extends PagePath>(
  path: Path,
  tables: PageTables<Path>,
  params: Values = {},
  search: Values = {},
): ResolvedRead[] {
  const byTable = tables as Readonly<Record<string, Readonly<Record<string, Call>>>>;
  const findValue = (text: string) => {
    if (text.startsWith(':')) return params[text.slice(1)];
    return text.startsWith('?') ? search[text.slice(1)] : text;
  };
  return pages[path].reads.flatMap((read: PageRead) => {
    const {
      call: name,
      params: texts = {},
      query,
      isOptional,
    } = typeof read === 'string' ? { call: read } : read;
    const [table = '', nameInTable = ''] = name.split('.');
    const call = byTable[table]?.[nameInTable];
    if (call === undefined) throw new Error(`${path} reads ${name}, whose table is not here.`);
    const values = [...call.path.matchAll(/\/:(\w+)/g)].map(
      ([, param = '']) => [param, findValue(texts[param] ?? `:${param}`)] as const,
    );
    if (values.some(([, value]) => !value)) return [];
    const filled = Object.fromEntries(values) as Record<string, string>;
    return {
      call,
      ...(values.length > 0 && { params: filled }),
      ...(query && { query }),
      ...(isOptional && { isOptional }),
    };
  });
}
