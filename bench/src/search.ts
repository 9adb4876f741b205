// `npm run bench search`: searches of a signed-in member over a million posts, for rare and common words, and whether rare
// words find what a scan of all posts finds. `--posts 200000` takes fewer posts.
import { count, readOptions } from '@tara/proof/options';
import type { LoadResult } from './feed/load.ts';
import { type FeedServer, printLoad, withFeedServer } from './feed/setup.ts';
import { milliseconds } from './measure/figures.ts';
import { requireFigure } from './measure/requirement.ts';
import { type BenchDatabase, runWorkload } from './setup/database.ts';

const { posts: postCount } = readOptions('npm run bench search', { posts: count(1_000_000) });
/** As many as an answer holds at most, so that each is found. */
const postsPerRareWord = 20;
const rareWords = Math.floor(postCount / postsPerRareWord);
/** Spread over all posts; of the same length, so that none is the beginning of another. */
const rareWord = (index: number) => `rare${String(index % rareWords).padStart(7, '0')}`;
const tags = `array['walk', 'shore', 'topic' || number % 1000, 'rare' || lpad((number % ${rareWords})::text, 7, '0')]`;
const counts = { members: 10_000, posts: postCount, likes: 0, saves: 0, tags };

/** Longest p99 of each kind of search. */
const maximumMs = 60;
const load = { connections: 8, members: 500, firstMember: 0 };
const rareSample = Array.from({ length: 50 }, (_, index) => rareWord(index * 7919 + 13));
const kinds = {
  'rare words': rareSample,
  'words of each 1,000th post': Array.from({ length: 50 }, (_, index) => `topic${index * 19 + 7}`),
  'common words': ['walk', 'shore', 'manila', 'day', 'wal', 'm', 'a walk along the shore', 'walk manila day'],
  'words that nobody wrote': Array.from({ length: 50 }, (_, index) => `nobody${index}`),
};

const path = (search: string) => `/api/post/search?search=${encodeURIComponent(search)}`;

/** The share of the posts with the rare words that their searches answer; the posts are found by a scan of their tags. */
async function measureRecall({ sql }: BenchDatabase, read: FeedServer['read']): Promise<number> {
  const rows = await sql<{ word: string; id: string }[]>`
    select word, id from posts, unnest(tags) as word where word = any(${rareSample})`;
  const expected = Map.groupBy(rows, ({ word }) => word);
  let answered = 0;
  for (const word of rareSample) {
    // In capitals and with an accent, which do not matter.
    const reply = await read(path(word.toUpperCase().replace('A', 'Á')));
    // The reply of our own call.
    const { items }: { items: { id: string }[] } = JSON.parse(reply);
    const ids = new Set(items.map((item) => item.id));
    answered += (expected.get(word) ?? []).filter(({ id }) => ids.has(id)).length;
  }
  return answered / rows.length;
}

async function measure(database: BenchDatabase, { port, generator, read }: FeedServer): Promise<boolean> {
  const recall = await measureRecall(database, read);
  const results: [kind: string, LoadResult][] = [];
  for (const [kind, searches] of Object.entries(kinds)) {
    const target = { ...load, port, paths: searches.map(path) };
    await generator.ask({ ...target, warmUpMs: 0, measuredMs: 1_000 });
    results.push([kind, await generator.ask({ ...target, warmUpMs: 500, measuredMs: 6_000 })]);
  }
  printLoad('search, 8 connections', results);
  const slowest = Math.max(...results.map(([, { p99 }]) => p99));
  return [
    requireFigure('p99', slowest, { atMost: maximumMs }, milliseconds),
    requireFigure(`recall of ${rareSample.length} rare words`, recall, { atLeast: 1 }),
  ].every(Boolean);
}

await runWorkload((database) =>
  withFeedServer(database, { counts, rateLimits: false }, (server) => measure(database, server)),
);
