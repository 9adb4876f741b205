// `npm run bench feed`: the authenticated feed page against a bare `node:http` handler with the same SQL and bytes.
import type { BareFeed } from './feed/bare.ts';
import type { Load, LoadResult } from './feed/load.ts';
import { startChild } from './measure/child.ts';
import { median } from './measure/latencies.ts';
import { milliseconds, perSecond, printTable, ratio } from './measure/print-table.ts';
import { openWorld, type World } from './world/database.ts';
import { addMembers, profileIds, secretOf } from './world/members.ts';
import { addPosts } from './world/posts.ts';
import { startServer } from './world/server.ts';

const counts = { members: 10_000, posts: 100_000, likes: 200_000, saves: 50_000 };
/** Share of the bare handler's throughput that the product must reach. */
const wanted = 0.6;
const path = '/api/post/feed';
const shape = { path, connections: 32, members: 2_000 };
const rounds = 3;

async function onePage(port: number): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    headers: { cookie: `a_session_tara=${secretOf(0)}` },
  });
  if (!response.ok) throw new Error(`The feed answered ${response.status}: ${await response.text()}`);
  return response.text();
}

async function measure(world: World): Promise<boolean> {
  const began = performance.now();
  await addMembers(world, counts.members);
  await addPosts(world, counts);
  console.log(
    `${Object.entries(counts)
      .map(([what, count]) => `${count.toLocaleString('en')} ${what}`)
      .join(', ')} in ${((performance.now() - began) / 1000).toFixed(1)} s`,
  );
  const server = await startServer(world, { rateLimits: true });
  const bare = startChild<BareFeed, { port: number }>(new URL('./feed/bare.ts', import.meta.url));
  const load = startChild<Load, LoadResult>(new URL('./feed/load.ts', import.meta.url));
  try {
    const body = await onePage(server.port);
    const { port: barePort } = await bare.ask({
      databaseUrl: world.url,
      viewers: (await profileIds(world)).slice(0, shape.members),
      body,
    });
    const run = (port: number, warmUp: number, measured: number) =>
      load.ask({ ...shape, port, warmUp, measured });
    for (const port of [barePort, server.port]) await run(port, 0, 2_000);
    const results: { who: 'bare' | 'Tara'; result: LoadResult }[] = [];
    for (let round = 0; round < rounds; round++) {
      results.push({ who: 'bare', result: await run(barePort, 500, 4_000) });
      results.push({ who: 'Tara', result: await run(server.port, 500, 4_000) });
    }
    printTable(
      ['feed, 32 connections', 'requests', 'p50', 'p99', 'body'],
      results.map(({ who, result }) => [
        who,
        perSecond(result.perSecond),
        milliseconds(result.p50),
        milliseconds(result.p99),
        `${result.bytes} B`,
      ]),
    );
    const middle = (name: string) =>
      median(results.flatMap(({ who, result }) => (who === name ? [result.perSecond] : [])));
    const share = middle('Tara') / middle('bare');
    console.log(
      `median ${perSecond(middle('Tara'))} of ${perSecond(middle('bare'))}: ${ratio(share)}, wanted at least ${ratio(wanted)}`,
    );
    return share >= wanted;
  } finally {
    await Promise.all([load.stop(), bare.stop(), server.stop()]);
  }
}

const world = await openWorld();
try {
  process.exitCode = (await measure(world)) ? 0 : 1;
} finally {
  await world.remove();
}
