/** Width of one bucket, ms. */
const width = 0.02;
/** Beyond this latencies are counted as this, ms. */
const longest = 5_000;

/** Counts latencies in buckets of 0.02 ms: recording one costs next to nothing, whatever their number. */
export interface Latencies {
  /** Takes one latency in ms. */
  record(ms: number): void;
  readonly count: number;
  /** The latency in ms that this share (0 to 1) of all did not exceed; 0 when there are none. */
  percentile(share: number): number;
}

export function countLatencies(): Latencies {
  const buckets = new Uint32Array(Math.ceil(longest / width) + 1);
  let count = 0;
  return {
    record(ms) {
      const bucket = Math.min(Math.max(Math.floor(ms / width), 0), buckets.length - 1);
      buckets[bucket] = (buckets[bucket] ?? 0) + 1;
      count += 1;
    },
    get count() {
      return count;
    },
    percentile(share) {
      let left = count * share;
      if (count === 0) return 0;
      for (const [bucket, count] of buckets.entries()) {
        left -= count;
        if (left <= 0) return (bucket + 1) * width;
      }
      return longest;
    },
  };
}

/** The middle one of an odd number of figures, or the mean of the two in the middle. */
export function median(figures: readonly number[]): number {
  const sorted = [...figures].sort((a, b) => a - b);
  const middle = sorted.slice(Math.floor((sorted.length - 1) / 2), Math.floor(sorted.length / 2) + 1);
  return middle.reduce((sum, figure) => sum + figure, 0) / middle.length;
}
