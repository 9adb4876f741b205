// `npm run bench documents`: the posts of the feed as documents of `/v1`, compared with the same page of `/api`, and alone with a
// baseline `node:http` handler of the feed's SQL and the document's bytes.
// `--posts 1000000` measures it over that many posts.

import { posts } from '@tara/contract/posts/posts';
import { callUrl } from '@tara/contract/url';
import { documents } from '@tara/contract/wire/documents';
import { count, readOptions } from '@tara/proof/options';
import { requireLatency } from './feed/latency.ts';
import type { LoadResult } from './feed/load.ts';
import { type FeedServer, printLoad, withBaseline, withFeedServer } from './feed/setup.ts';
import { ratio } from './measure/figures.ts';
import { median } from './measure/latencies.ts';
import { requireFigure } from './measure/requirement.ts';
import { runWorkload } from './setup/database.ts';

const { posts: postCount } = readOptions('npm run bench documents', { posts: count(100_000) });
const counts = { members: 10_000, posts: postCount, likes: 200_000, saves: 50_000 };
/** Minimum share of the throughput of `/api`. */
const minimumShare = 0.7;
/** Maximum ratio of the median latencies of one connection, to the baseline handler's. */
const maximumLatency = 2.5;
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

/** The ids of a page, so that both are known to hold the same posts. */
function pageIds(text: string): string[] {
  const page: { items?: { id: string }[]; documents?: { $id: string }[] } = JSON.parse(text);
  return page.items?.map(({ id }) => id) ?? page.documents?.map(({ $id }) => $id) ?? [];
}

async function measure({ port, generator, read }: FeedServer, baselinePort: number): Promise<boolean> {
  const [feed, list] = [pageIds(await read(targets['/api'].path)), pageIds(await read(targets['/v1'].path))];
  if (feed.length !== 10 || feed.join() !== list.join()) throw new Error('The pages hold other posts.');
  const ask = ({ path, firstMember }: { path: string; firstMember: number }, measuredMs: number) =>
    generator.ask({ ...load, port, paths: [path], firstMember, warmUpMs: 500, measuredMs });
  for (const target of Object.values(targets)) await ask(target, 2_000);
  const byTarget: Record<string, LoadResult[]> = Object.fromEntries(
    Object.keys(targets).map((target) => [target, []]),
  );
  for (let round = 0; round < rounds; round++) {
    for (const [target, options] of Object.entries(targets))
      byTarget[target]?.push(await ask(options, roundMs));
  }
  printLoad(
    `posts, 32 connections, median of ${rounds} rounds`,
    Object.entries(byTarget).map(([target, results]) => [target, medianResult(results)]),
  );
  const shareOf = (target: keyof typeof targets) =>
    median(
      (byTarget[target] ?? []).map(
        (result, round) => result.perSecond / (byTarget['/api']?.[round]?.perSecond ?? Number.NaN),
      ),
    );
  console.log(`with blocks and mutes ${ratio(shareOf('/v1, 20 blocks and 20 mutes'))}`);
  const alone = { paths: [listUrl], firstMember: 0, members: load.members };
  const isQuick = await requireLatency(generator, {
    target: { ...alone, port },
    reference: { ...alone, port: baselinePort },
    atMost: maximumLatency,
  });
  const isOftenEnough = requireFigure('median share of the rounds', shareOf('/v1'), {
    atLeast: minimumShare,
  });
  return isQuick && isOftenEnough;
}

/** The median of each figure. */
const medianResult = (results: readonly LoadResult[]): LoadResult => ({
  perSecond: median(results.map(({ perSecond }) => perSecond)),
  p50: median(results.map(({ p50 }) => p50)),
  p99: median(results.map(({ p99 }) => p99)),
  bytes: results[0]?.bytes ?? 0,
});

await runWorkload((database) =>
  withFeedServer(database, { counts, hidden, rateLimits: true }, async (server) =>
    withBaseline(database, { members: load.members, body: await server.read(listUrl) }, (baselinePort) =>
      measure(server, baselinePort),
    ),
  ),
);
