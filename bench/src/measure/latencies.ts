/** Width of one bucket. */
const widthMs = 0.02;
/** Longer latencies count as this. */
const maxMs = 5_000;

/** Counts latencies in buckets of 0.02 ms, so that recording is cheap and memory is constant. */
export interface Latencies {
  /** Records one latency in ms. */
  record(ms: number): void;
  readonly count: number;
  /** The latency in ms that this share (0 to 1) of all does not exceed; 0 without latencies. */
  percentile(share: number): number;
}

export function countLatencies(): Latencies {
  const buckets = new Uint32Array(Math.ceil(maxMs / widthMs) + 1);
  let count = 0;
  return {
    record(ms) {
      const bucket = Math.min(Math.max(Math.floor(ms / widthMs), 0), buckets.length - 1);
      buckets[bucket] = (buckets[bucket] ?? 0) + 1;
      count += 1;
    },
    get count() {
      return count;
    },
    percentile(share) {
      let remaining = count * share;
      if (count === 0) return 0;
      for (const [bucket, count] of buckets.entries()) {
        remaining -= count;
        if (remaining <= 0) return (bucket + 1) * widthMs;
      }
      return maxMs;
    },
  };
}

/** The median; the mean of the two middle figures when their number is even. */
export function median(figures: readonly number[]): number {
  const sorted = [...figures].sort((a, b) => a - b);
  const middle = sorted.slice(Math.floor((sorted.length - 1) / 2), Math.floor(sorted.length / 2) + 1);
  return middle.reduce((sum, figure) => sum + figure, 0) / middle.length;
}
