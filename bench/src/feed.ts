// `npm run bench feed`: the feed of a signed-in member, compared with a baseline `node:http` handler of the same SQL and bytes.
// `--posts 1000000` measures it over that many posts.
import { count, readOptions } from '@tara/proof/options';
import { requireLatency } from './feed/latency.ts';
import type { LoadResult } from './feed/load.ts';
import { type FeedServer, printLoad, withBaseline, withFeedServer } from './feed/setup.ts';
import { perSecond } from './measure/figures.ts';
import { median } from './measure/latencies.ts';
import { requireFigure } from './measure/requirement.ts';
import { runWorkload } from './setup/database.ts';

const { posts: postCount } = readOptions('npm run bench feed', { posts: count(100_000) });
const counts = { members: 10_000, posts: postCount, likes: 200_000, saves: 50_000 };
/** Minimum share of the baseline handler's throughput. */
const minimumShare = 0.6;
const path = '/api/post/feed';
/** Members of both kinds: together no more sessions than one address may look up in a minute. */
const load = { paths: [path], connections: 32, members: 500 };
/** Blocks and mutes of each member of the second half of the load. */
const hidden = { first: load.members, count: load.members, each: 20 };
/** Maximum ratio of the median latencies of one connection. */
const maximumLatency = 2.5;
/** Minimum share of the rate without blocks and mutes. */
const minimumHiddenShare = 0.85;
const rounds = 3;

async function measure({ port, generator }: FeedServer, baselinePort: number): Promise<boolean> {
  const targets = {
    baseline: { port: baselinePort, firstMember: 0 },
    Tara: { port, firstMember: 0 },
    'Tara, 20 blocks and 20 mutes': { port, firstMember: hidden.first },
  };
  const results: [target: string, LoadResult][] = [];
  for (const target of Object.values(targets))
    await generator.ask({ ...load, ...target, warmUpMs: 0, measuredMs: 2_000 });
  for (let round = 0; round < rounds; round++) {
    for (const [name, target] of Object.entries(targets)) {
      const result = await generator.ask({ ...load, ...target, warmUpMs: 500, measuredMs: 4_000 });
      results.push([name, result]);
    }
  }
  printLoad('feed, 32 connections', results);
  const alone = { paths: load.paths, members: load.members };
  const isQuick = await requireLatency(generator, {
    target: { ...alone, ...targets.Tara },
    reference: { ...alone, ...targets.baseline },
    atMost: maximumLatency,
  });
  const medianRate = (name: string) =>
    median(results.flatMap(([target, result]) => (target === name ? [result.perSecond] : [])));
  const share = medianRate('Tara') / medianRate('baseline');
  const hiddenShare = medianRate('Tara, 20 blocks and 20 mutes') / medianRate('Tara');
  return [
    isQuick,
    requireFigure(`median ${perSecond(medianRate('Tara'))} of ${perSecond(medianRate('baseline'))}`, share, {
      atLeast: minimumShare,
    }),
    requireFigure('rate with 20 blocks and 20 mutes each, of that without', hiddenShare, {
      atLeast: minimumHiddenShare,
    }),
  ].every(Boolean);
}

await runWorkload((database) =>
  withFeedServer(database, { counts, hidden, rateLimits: true }, async (server) =>
    withBaseline(database, { members: load.members, body: await server.read(path) }, (baselinePort) =>
      measure(server, baselinePort),
    ),
  ),
);
