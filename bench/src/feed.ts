// `npm run bench feed`: the feed of a signed-in member, compared with a baseline `node:http` handler of the same SQL and bytes.
// `--posts 1000000` measures it over that many posts.
import { parseArgs } from 'node:util';
import type { BaselineFeed } from './feed/baseline.ts';
import type { Load, LoadResult } from './feed/load.ts';
import { startChild } from './measure/child.ts';
import { median } from './measure/latencies.ts';
import { milliseconds, perSecond, printTable, ratio } from './measure/print-table.ts';
import { type BenchDatabase, openDatabase } from './setup/database.ts';
import { addBlocksAndMutes, addMembers, profileIds, sessionSecret } from './setup/members.ts';
import { addPosts } from './setup/posts.ts';
import { startServer } from './setup/server.ts';

const { values } = parseArgs({ options: { posts: { type: 'string', default: '100000' } } });
const counts = { members: 10_000, posts: Number(values.posts), likes: 200_000, saves: 50_000 };
/** Minimum share of the baseline handler's throughput. */
const minimumShare = 0.6;
const path = '/api/post/feed';
/** Of both kinds of members together no more than one address may look up sessions of in a minute. */
const load = { paths: [path], connections: 32, members: 500 };
/** Blocks and mutes of each member of the second half of the load. */
const hidden = { first: load.members, count: load.members, each: 20 };
/** Minimum share of the rate without blocks and mutes. */
const minimumHiddenShare = 0.85;
const rounds = 3;

async function readFeed(port: number): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    headers: { cookie: `a_session_tara=${sessionSecret(0)}` },
  });
  if (!response.ok) throw new Error(`The feed answered ${response.status}: ${await response.text()}`);
  return response.text();
}

async function measure(database: BenchDatabase): Promise<boolean> {
  const startedAt = performance.now();
  await addMembers(database, counts.members);
  await addPosts(database, counts);
  await addBlocksAndMutes(database, hidden);
  console.log(
    `${Object.entries(counts)
      .map(([name, count]) => `${count.toLocaleString('en')} ${name}`)
      .join(', ')} in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`,
  );
  const server = await startServer(database, { rateLimits: true });
  const baseline = startChild<BaselineFeed, { port: number }>(new URL('./feed/baseline.ts', import.meta.url));
  const generator = startChild<Load, LoadResult>(new URL('./feed/load.ts', import.meta.url));
  try {
    const body = await readFeed(server.port);
    const { port: baselinePort } = await baseline.ask({
      databaseUrl: database.url,
      viewers: (await profileIds(database)).slice(0, load.members),
      body,
    });
    const targets = {
      baseline: { port: baselinePort, firstMember: 0 },
      Tara: { port: server.port, firstMember: 0 },
      'Tara, 20 blocks and 20 mutes': { port: server.port, firstMember: hidden.first },
    };
    const results: { target: string; result: LoadResult }[] = [];
    for (const target of Object.values(targets))
      await generator.ask({ ...load, ...target, warmUpMs: 0, measuredMs: 2_000 });
    for (let round = 0; round < rounds; round++) {
      for (const [target, { port, firstMember }] of Object.entries(targets)) {
        const result = await generator.ask({ ...load, port, firstMember, warmUpMs: 500, measuredMs: 4_000 });
        results.push({ target, result });
      }
    }
    printTable(
      ['feed, 32 connections', 'requests', 'p50', 'p99', 'body'],
      results.map(({ target, result }) => [
        target,
        perSecond(result.perSecond),
        milliseconds(result.p50),
        milliseconds(result.p99),
        `${result.bytes} B`,
      ]),
    );
    const medianRate = (name: string) =>
      median(results.flatMap(({ target, result }) => (target === name ? [result.perSecond] : [])));
    const share = medianRate('Tara') / medianRate('baseline');
    console.log(
      `median ${perSecond(medianRate('Tara'))} of ${perSecond(medianRate('baseline'))}: ${ratio(share)}, required at least ${ratio(minimumShare)}`,
    );
    const hiddenShare = medianRate('Tara, 20 blocks and 20 mutes') / medianRate('Tara');
    console.log(
      `with 20 blocks and 20 mutes each ${ratio(hiddenShare)} of the rate without, required at least ${ratio(minimumHiddenShare)}`,
    );
    return share >= minimumShare && hiddenShare >= minimumHiddenShare;
  } finally {
    await Promise.all([generator.stop(), baseline.stop(), server.stop()]);
  }
}

const database = await openDatabase();
try {
  process.exitCode = (await measure(database)) ? 0 : 1;
} finally {
  await database.remove();
}
