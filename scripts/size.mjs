// `npm run size`: how much JavaScript each route loads, gzip, against the limits.
import { install } from './install.mjs';
import { measureBundles } from './setup/bundle-size.mjs';
import { main } from './setup/main.mjs';
import { buildWeb } from './setup/web.mjs';

const kilobytes = (bytes) => `${(bytes / 1000).toFixed(1)} kB`.padStart(9);

await main(async () => {
  await install();
  await buildWeb();
  const rows = measureBundles();
  const width = Math.max(...rows.map(({ route }) => route.length));
  for (const { route, bytes, limit } of rows) {
    console.log(
      `${route.padEnd(width)} ${kilobytes(bytes)}  of ${kilobytes(limit)}${bytes > limit ? '  TOO MUCH' : ''}`,
    );
  }
  return rows.some(({ bytes, limit }) => bytes > limit) ? 1 : 0;
});
