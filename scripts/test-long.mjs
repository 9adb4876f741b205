// `npm run test:long`: the long versions of tests, one after the other, with the time of each and a summary. A part that passed on
// this commit today is skipped, unless `--again` is given; `-- --only NAME` runs one part.
import { parseArgs } from 'node:util';
import { install } from './install.mjs';
import { cleanCommit, hangingFactor, longParts, openResults, runParts } from './setup/long-parts.mjs';
import { inRoot } from './setup/paths.mjs';
import { main, runNode } from './setup/run.mjs';

/** Runs a part as often as it says: null when it hung and was stopped. */
async function runPart({ args, env, minutes, times = 1 }) {
  let child;
  let isStopped = false;
  const timer = setTimeout(
    () => {
      isStopped = true;
      child?.kill('SIGTERM');
      setTimeout(() => child?.kill('SIGKILL'), 10_000).unref();
    },
    hangingFactor * minutes * 60_000,
  );
  try {
    for (let time = 0; time < times; time += 1) {
      const code = await runNode(args, { env, onStart: (started) => (child = started) });
      if (isStopped) return null;
      if (code !== 0) return code;
    }
    return 0;
  } finally {
    clearTimeout(timer);
  }
}

await main(async (args) => {
  const options = { only: { type: 'string' }, again: { type: 'boolean', default: false } };
  const { only, again } = parseArgs({ args, options }).values;
  if (only !== undefined && !Object.hasOwn(longParts, only))
    throw new Error(`--only takes the name of a part: ${Object.keys(longParts).join(', ')}.`);
  await install();
  const parts = only === undefined ? longParts : { [only]: longParts[only] };
  const commit = cleanCommit();
  if (commit === null)
    console.log('The checkout is no clean commit: no part is skipped, and none is noted as passed.');
  const results = openResults(inRoot('test-results', 'long.json'), commit);
  const forgetful = { ...results, secondsOf: () => undefined };
  return (await runParts(parts, { results: again ? forgetful : results, runPart })) === 0 ? 0 : 1;
});
