import type { Child } from '../measure/child.ts';
import { milliseconds } from '../measure/figures.ts';
import { median } from '../measure/latencies.ts';
import { requireFigure } from '../measure/requirement.ts';
import type { Load, LoadResult } from './load.ts';

/** What is read, and by whom. */
type Target = Pick<Load, 'port' | 'paths' | 'firstMember' | 'members'>;

const rounds = 5;

/**
 * Compares the median latency of reads that are alone on the server with those of a reference, in turns. The throughput of many
 * connections does not show that each request waits for something: others use the time. Whether it is within the bound.
 */
export async function requireLatency(
  generator: Child<Load, LoadResult>,
  { target, reference, atMost }: { target: Target; reference: Target; atMost: number },
): Promise<boolean> {
  const results: { own: number; reference: number }[] = [];
  const measure = async (one: Target) =>
    (await generator.ask({ ...one, connections: 1, warmUpMs: 200, measuredMs: 800 })).p50;
  for (let round = 0; round < rounds; round++)
    results.push({ own: await measure(target), reference: await measure(reference) });
  const own = median(results.map((result) => result.own));
  const other = median(results.map((result) => result.reference));
  return requireFigure(
    `alone: times the latency, median ${milliseconds(own)} against ${milliseconds(other)}`,
    own / other,
    { atMost },
  );
}
