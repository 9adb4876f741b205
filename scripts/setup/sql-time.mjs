// Times of the system in migrations, which Biome does not read. In other SQL scripts/rules/time-and-chance.grit finds them.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const systemTimes =
  /\b(?:current_timestamp|current_date|current_time|localtimestamp|localtime|clock_timestamp|statement_timestamp|transaction_timestamp|timeofday)\b/gi;

/**
 * Every place where a migration reads the time by another name than `now()`, as `path:line name`.
 * @param root a checkout.
 */
export function systemTimesInMigrations(root) {
  const folder = join('server', 'migrations');
  return readdirSync(join(root, folder))
    .sort()
    .flatMap((file) =>
      readFileSync(join(root, folder, file), 'utf8')
        .split('\n')
        .flatMap((line, index) =>
          [...line.replace(/--.*/, '').matchAll(systemTimes)].map(
            ([name]) => `server/migrations/${file}:${index + 1} ${name}`,
          ),
        ),
    );
}
