// `npm run size`: gzipped JavaScript of each route beside what was committed with the last change: /sign-in as the first
// load, `/` and the guest routes after /sign-in, and every other route after /sign-in and `/`, which loads the shell.
// `-- --write` takes the sizes over; of a route that grew by more than 5 % with `--reason '/route why'`.
import { parseArgs } from 'node:util';
import { install } from './install.mjs';
import {
  commitSizes,
  committedSizes,
  measureBundles,
  sizeProblems,
  sizesToCommit,
} from './setup/bundle-size.mjs';
import { main } from './setup/run.mjs';
import { buildWeb } from './setup/web.mjs';

const kilobytes = (bytes) => `${(bytes / 1000).toFixed(1)} kB`.padStart(9);

/** `'/route why'` → `['/route', 'why']` */
function readReason(text) {
  const [, route, reason] = /^(\/\S*)\s+(\S.*)$/.exec(text) ?? [];
  if (route === undefined) throw new Error(`--reason '/route why', not '${text}'.`);
  return [route, reason];
}

await main(async (args) => {
  const { values } = parseArgs({
    args,
    options: { write: { type: 'boolean' }, reason: { type: 'string', multiple: true, default: [] } },
  });
  const reasons = Object.fromEntries(values.reason.map(readReason));
  await install();
  await buildWeb();
  const sizes = measureBundles();
  const committed = committedSizes();
  const width = Math.max(...sizes.map(({ route }) => route.length));
  let heading;
  for (const { route, bytes, after } of sizes) {
    const next = after.length === 0 ? 'First load' : `After ${after.join(' and ')}`;
    if (next !== heading) console.log(heading === undefined ? next : `\n${next}`);
    heading = next;
    const before = committed[route];
    const change = before === undefined ? 'new' : `before ${kilobytes(before.bytes)}`;
    const reason = before?.reason === undefined ? '' : `  ${before.reason}`;
    console.log(`  ${route.padEnd(width)} ${kilobytes(bytes)}  ${change}${reason}`);
  }
  if (values.write) {
    commitSizes(sizesToCommit(sizes, committed, reasons));
    return 0;
  }
  const problems = sizeProblems(sizes, committed);
  for (const problem of problems) console.error(problem);
  return problems.length === 0 ? 0 : 1;
});
