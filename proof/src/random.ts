/** Random choices that a seed repeats (mulberry32). */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** At least 0, below 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** A whole number from `least` to `most`. */
  int(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1));
  }

  chance(share: number): boolean {
    return this.next() < share;
  }

  /** One of the items. @throws Error when there is none. */
  pick<Item>(items: readonly Item[]): Item {
    const item = items[this.int(0, items.length - 1)];
    if (item === undefined) throw new Error('There is nothing to choose from.');
    return item;
  }

  shuffle<Item>(items: readonly Item[]): Item[] {
    return items
      .map((item) => ({ item, order: this.next() }))
      .sort((a, b) => a.order - b.order)
      .map(({ item }) => item);
  }

  /** Letters and digits. */
  word(length: number): string {
    const letters = 'abcdefghijklmnopqrstuvwxyz0123456789';
    return Array.from({ length }, () => letters[this.int(0, 35)]).join('');
  }

  readonly #decks = new Map<string, unknown[]>();

  /** The next of the items in a random order: each comes once before any comes again. */
  deal<Item>(deck: string, items: () => readonly Item[]): Item {
    const left = (this.#decks.get(deck) ?? []) as Item[];
    const cards = left.length > 0 ? left : this.shuffle(items());
    const item = cards.pop();
    this.#decks.set(deck, cards);
    if (item === undefined) throw new Error('There is nothing to deal.');
    return item;
  }
}
