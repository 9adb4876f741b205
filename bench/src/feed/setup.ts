import { printTable } from '@tara/proof/table';
import { type Child, startChild } from '../measure/child.ts';
import { milliseconds, perSecond } from '../measure/figures.ts';
import type { BenchDatabase } from '../setup/database.ts';
import { addBlocksAndMutes, addMembers, profileIds, sessionSecret } from '../setup/members.ts';
import { addPosts, type PostCounts } from '../setup/posts.ts';
import { startServer } from '../setup/server.ts';
import type { BaselineFeed } from './baseline.ts';
import type { Load, LoadResult } from './load.ts';

interface FeedWorkload {
  counts: PostCounts;
  /** Blocks and mutes of some members. */
  hidden?: { first: number; count: number; each: number };
  rateLimits: boolean;
  /** Further variables of the server. */
  environment?: Record<string, string>;
}

/** Reads of a member, with the generator of many of them. */
export interface FeedServer {
  port: number;
  /** Of the server. */
  pid: number;
  generator: Child<Load, LoadResult>;
  /** The body of one answer to the first member. */
  read(path: string): Promise<string>;
}

/** Makes members and posts, and starts the server and a generator of load, which end with `work`. */
export async function withFeedServer(
  database: BenchDatabase,
  { counts, hidden, rateLimits, environment }: FeedWorkload,
  work: (server: FeedServer) => Promise<boolean>,
): Promise<boolean> {
  const startedAt = performance.now();
  await addMembers(database, counts.members);
  await addPosts(database, counts);
  if (hidden) await addBlocksAndMutes(database, hidden);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  const { members, posts, likes, saves } = counts;
  const list = Object.entries({ members, posts, likes, saves })
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `${count.toLocaleString('en')} ${name}`);
  console.log(`${list.join(', ')} in ${seconds} s`);
  const server = await startServer(database, { rateLimits, environment });
  const generator = startChild<Load, LoadResult>(new URL('./load.ts', import.meta.url));
  const read = async (path: string) => {
    const response = await fetch(`http://127.0.0.1:${server.port}${path}`, {
      headers: { cookie: `a_session_tara=${sessionSecret(0)}` },
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path} was answered with ${response.status}: ${text}`);
    return text;
  };
  try {
    return await work({ port: server.port, pid: server.pid, generator, read });
  } finally {
    await Promise.all([generator.stop(), server.stop()]);
  }
}

/**
 * Starts the baseline handler, whose every response is `body`, for the first members; it ends with `work`, which gets its
 * port.
 */
export async function withBaseline(
  database: BenchDatabase,
  { members, body }: { members: number; body: string },
  work: (port: number) => Promise<boolean>,
): Promise<boolean> {
  const baseline = startChild<BaselineFeed, { port: number }>(new URL('./baseline.ts', import.meta.url));
  try {
    const viewers = (await profileIds(database)).slice(0, members);
    const { port } = await baseline.ask({ databaseUrl: database.url, viewers, body });
    return await work(port);
  } finally {
    await baseline.stop();
  }
}

/** Prints a row for each result, by what was measured. */
export function printLoad(title: string, rows: readonly [name: string, LoadResult][]): void {
  printTable(
    [title, 'requests', 'p50', 'p99', 'body'],
    rows.map(([name, { perSecond: rate, p50, p99, bytes }]) => [
      name,
      perSecond(rate),
      milliseconds(p50),
      milliseconds(p99),
      `${bytes} B`,
    ]),
  );
}
