// The system's time and chance in migrations, which Biome does not read. In other SQL scripts/rules/time-and-chance.grit finds them.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findSystemWords } from '../../simulation/src/postgres/system-words.ts';

/**
 * Every place where a migration reads the time or draws in a way that a schema cannot replace, as `path:line word`.
 * @param root a checkout.
 */
export function systemWordsInMigrations(root) {
  const folder = join('server', 'migrations');
  return readdirSync(join(root, folder))
    .sort()
    .flatMap((file) => {
      const text = readFileSync(join(root, folder, file), 'utf8');
      return findSystemWords(text).map(
        ({ word, index }) => `server/migrations/${file}:${text.slice(0, index).split('\n').length} ${word}`,
      );
    });
}
