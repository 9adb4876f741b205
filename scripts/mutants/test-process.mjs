// Runs Vitest in the working directory, a copy of the tree, for one selection of tests after another: each message
// `{ files, pattern, changed }` is answered by its `state`, which is `passed`, `failed`, or `broken` when no test could say anything,
// and the files that failed. They run in their order until the first failure. The database and the transformed modules are those
// of the process, so that a run takes as long as its tests.
import { resolve } from 'node:path';
import { BaseSequencer, createVitest } from 'vitest/node';

let order = [];

class GivenOrder extends BaseSequencer {
  async sort(specifications) {
    const place = ({ moduleId }) => order.indexOf(moduleId);
    return specifications.toSorted((one, other) => place(one) - place(other));
  }
}

const vitest = await createVitest('test', {
  watch: false,
  bail: 1,
  retry: 0,
  maxWorkers: 1,
  reporters: [{}],
  sequence: { sequencer: GivenOrder },
  silent: true,
});

async function run({ files, pattern, changed }) {
  for (const path of changed) vitest.invalidateFile(resolve(path));
  // What failed before would count as a failure of this run.
  vitest.state.filesMap.clear();
  vitest.state.idMap.clear();
  if (pattern) vitest.setGlobalTestNamePattern(new RegExp(pattern));
  else vitest.resetGlobalTestNamePattern();
  order = files.map((path) => resolve(path));
  const specifications = (await vitest.globTestSpecifications(files)).filter(({ moduleId }) =>
    order.includes(moduleId),
  );
  const { testModules } = await vitest.runTestSpecifications(specifications);
  const tests = testModules.flatMap((module) => [...module.children.allTests()]);
  const has = (state) => tests.some((test) => test.result().state === state);
  const isStopped = testModules.some((module) => module.state() === 'failed' && module.children.size > 0);
  const failed = testModules
    .filter((module) => module.state() === 'failed')
    .map(({ moduleId }) => files[order.indexOf(moduleId)]);
  if (has('failed') || isStopped) return { state: 'failed', failed };
  return { state: has('passed') && failed.length === 0 ? 'passed' : 'broken', failed };
}

process.on('message', async (selection) => {
  const answer = await run(selection).catch((error) => {
    console.error(error);
    return { state: 'broken', failed: [] };
  });
  process.send(answer);
});
process.on('disconnect', async () => {
  await vitest.close();
  process.exit();
});
process.send({ state: 'ready' });
