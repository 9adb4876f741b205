// `npm run bench documents`: the posts of the feed as documents of `/v1`, compared with the same page of `/api`.
// `--posts 1000000` measures it over that many posts.
import { parseArgs } from 'node:util';
import { documents } from '@tara/contract/documents';
import { posts } from '@tara/contract/posts';
import { callUrl } from '@tara/contract/url';
import type { Load, LoadResult } from './feed/load.ts';
import { startChild } from './measure/child.ts';
import { median } from './measure/latencies.ts';
import { milliseconds, perSecond, printTable, ratio } from './measure/print-table.ts';
import { type BenchDatabase, openDatabase } from './setup/database.ts';
import { addBlocksAndMutes, addMembers, sessionSecret } from './setup/members.ts';
import { addPosts } from './setup/posts.ts';
import { startServer } from './setup/server.ts';

const { values } = parseArgs({ options: { posts: { type: 'string', default: '100000' } } });
const counts = { members: 10_000, posts: Number(values.posts), likes: 200_000, saves: 50_000 };
/** Minimum share of the throughput of `/api`. */
const minimumShare = 0.7;
const load = { connections: 32, members: 500 };
const hidden = { first: load.members, count: load.members, each: 20 };
/** Many short rounds: what else the machine does falls on both paths of a round alike. */
const rounds = 10;
const roundMs = 1_500;

/** What the SDK sends for the feed of §7: by update time, 10, only posts with creator and image. */
const queries = [
  { method: 'isNotNull', attribute: 'creator' },
  { method: 'isNotNull', attribute: 'imageUrl' },
  { method: 'orderDesc', attribute: '$updatedAt' },
  { method: 'limit', values: [10] },
];
const listUrl = callUrl(documents.list, {
  params: { databaseId: 'tara', collectionId: 'posts' },
  query: Object.fromEntries(queries.map((query, index) => [`queries[${index}]`, JSON.stringify(query)])),
});
const targets = {
  '/api': { path: posts.feed.path, firstMember: 0 },
  '/v1': { path: listUrl, firstMember: 0 },
  '/v1, 20 blocks and 20 mutes': { path: listUrl, firstMember: hidden.first },
};

/** The ids of the page, so that both are known to hold the same posts. */
async function readIds(port: number, path: string): Promise<string[]> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    headers: { cookie: `a_session_tara=${sessionSecret(0)}` },
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text}`);
  const page: { items?: { id: string }[]; documents?: { $id: string }[] } = JSON.parse(text);
  return page.items?.map(({ id }) => id) ?? page.documents?.map(({ $id }) => $id) ?? [];
}

async function measure(database: BenchDatabase): Promise<boolean> {
  await addMembers(database, counts.members);
  await addPosts(database, counts);
  await addBlocksAndMutes(database, hidden);
  const server = await startServer(database, { rateLimits: true });
  const generator = startChild<Load, LoadResult>(new URL('./feed/load.ts', import.meta.url));
  try {
    const [feed, list] = [
      await readIds(server.port, targets['/api'].path),
      await readIds(server.port, targets['/v1'].path),
    ];
    if (feed.length !== 10 || feed.join() !== list.join()) throw new Error('The pages hold other posts.');
    const ask = ({ path, firstMember }: { path: string; firstMember: number }, measuredMs: number) =>
      generator.ask({
        ...load,
        ...{ port: server.port, paths: [path], firstMember, warmUpMs: 500, measuredMs },
      });
    for (const target of Object.values(targets)) await ask(target, 2_000);
    const byTarget: Record<string, LoadResult[]> = Object.fromEntries(
      Object.keys(targets).map((target) => [target, []]),
    );
    for (let round = 0; round < rounds; round++) {
      for (const [target, options] of Object.entries(targets))
        byTarget[target]?.push(await ask(options, roundMs));
    }
    printTable(
      [`posts, 32 connections, median of ${rounds} rounds`, 'requests', 'p50', 'p99', 'body'],
      Object.entries(byTarget).map(([target, results]) => [
        target,
        perSecond(median(results.map((result) => result.perSecond))),
        milliseconds(median(results.map(({ p50 }) => p50))),
        milliseconds(median(results.map(({ p99 }) => p99))),
        `${results[0]?.bytes} B`,
      ]),
    );
    const shareOf = (target: keyof typeof targets) =>
      median(
        (byTarget[target] ?? []).map(
          (result, round) => result.perSecond / (byTarget['/api']?.[round]?.perSecond ?? Number.NaN),
        ),
      );
    const share = shareOf('/v1');
    console.log(
      `median share of the rounds ${ratio(share)}, required at least ${ratio(minimumShare)}; with blocks and mutes ${ratio(shareOf('/v1, 20 blocks and 20 mutes'))}`,
    );
    return share >= minimumShare;
  } finally {
    await Promise.all([generator.stop(), server.stop()]);
  }
}

const database = await openDatabase();
try {
  process.exitCode = (await measure(database)) ? 0 : 1;
} finally {
  await database.remove();
}
