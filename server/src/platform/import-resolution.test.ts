import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

/** Counts what reaches Node's own resolution. */
const countResolutions = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module';
  let count = 0;
  registerHooks({
    resolve(specifier, context, next) {
      count += 1;
      return next(specifier, context);
    },
  });
  process.on('exit', () => console.log(count));
`)}`;

test('asks Node once for a package, and never for the files inside of drizzle-orm', async () => {
  const importTwice = `
    const own = [await import('drizzle-orm'), await import('drizzle-orm')];
    if (own[0] !== own[1] || typeof own[0].eq !== 'function') process.exit(1);
  `;
  const args = ['--import', countResolutions, '--import', './import-resolution.ts', '-e', importTwice];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: import.meta.dirname });
  // import-resolution.ts, what Node runs for the script itself, and the package.
  expect(Number(stdout)).toBeLessThan(6);
});
