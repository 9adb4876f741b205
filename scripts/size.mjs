// `npm run size`: gzipped JavaScript of each route and its limit: /sign-in as the first load, `/` and the guest routes
// after /sign-in, and every other route after /sign-in and `/`, which loads the shell.
import { install } from './install.mjs';
import { measureBundles } from './setup/bundle-size.mjs';
import { main } from './setup/run.mjs';
import { buildWeb } from './setup/web.mjs';

const kilobytes = (bytes) => `${(bytes / 1000).toFixed(1)} kB`.padStart(9);

await main(async () => {
  await install();
  await buildWeb();
  const rows = measureBundles();
  const width = Math.max(...rows.map(({ route }) => route.length));
  let heading;
  for (const { route, bytes, limit, after } of rows) {
    const next = after.length === 0 ? 'First load' : `After ${after.join(' and ')}`;
    if (next !== heading) console.log(heading === undefined ? next : `\n${next}`);
    heading = next;
    console.log(
      `  ${route.padEnd(width)} ${kilobytes(bytes)}  of ${kilobytes(limit)}${bytes > limit ? '  OVER THE LIMIT' : ''}`,
    );
  }
  return rows.some(({ bytes, limit }) => bytes > limit) ? 1 : 0;
});
