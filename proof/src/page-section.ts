import { readFile, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');

/** What a program writes into a page, between `<!-- NAME: begin -->` and `<!-- NAME: end -->`. */
export interface PageSection {
  /** @throws Error when the page has no such marks */
  read(): Promise<string>;
  /** @throws Error when the page has no such marks */
  write(text: string): Promise<void>;
}

/** The section of a page of the repository. */
export function pageSection(page: string, name: string): PageSection {
  const path = resolve(root, page);
  const [begin, end] = [`<!-- ${name}: begin -->`, `<!-- ${name}: end -->`];
  const split = async () => {
    const text = await readFile(path, 'utf8');
    const [from, to] = [text.indexOf(begin), text.indexOf(end)];
    if (from < 0 || to < from) throw new Error(`${page} has no ${begin} … ${end}.`);
    const start = from + begin.length;
    return { before: text.slice(0, start), section: text.slice(start, to), after: text.slice(to) };
  };
  return {
    read: async () => (await split()).section.trim(),
    write: async (text) => {
      const { before, after } = await split();
      await writeFile(path, `${before}\n\n${text}\n\n${after}`);
    },
  };
}
