/** How often each thing happened, by kind. */
export class Coverage {
  readonly counts: Map<string, Map<string, number>>;

  constructor(counts = new Map<string, Map<string, number>>()) {
    this.counts = counts;
  }

  count(kind: string, name: string, times = 1): void {
    const names = this.counts.get(kind) ?? new Map<string, number>();
    this.counts.set(kind, names.set(name, (names.get(name) ?? 0) + times));
  }

  /** Adds what happened in other lives. */
  add({ counts }: Coverage): void {
    for (const [kind, names] of counts) for (const [name, times] of names) this.count(kind, name, times);
  }

  /** What of a list happened less often than that. */
  lacks(kind: string, names: readonly string[], least: number): string[] {
    return names
      .map((name) => ({ name, times: this.counts.get(kind)?.get(name) ?? 0 }))
      .filter(({ times }) => times < least)
      .map(({ name, times }) => `${kind} ${name}: ${times}`);
  }

  /** Lines for people: each kind with its names, the rarest first. */
  lines(): string[] {
    return [...this.counts]
      .sort()
      .flatMap(([kind, names]) => [
        `${kind}:`,
        ...[...names]
          .sort(([one, few], [other, many]) => few - many || (one < other ? -1 : 1))
          .map(([name, times]) => `  ${String(times).padStart(7)}  ${name}`),
      ]);
  }
}
