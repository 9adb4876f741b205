// Runs Vitest in the working directory, a copy of the tree, for one selection of tests after another: each message
// `{ files, pattern, changed }` is answered by `passed`, `failed`, or `broken` when no test could say anything. The database and
// the transformed modules are those of the process, so that a run takes as long as its tests.
import { resolve } from 'node:path';
import { createVitest } from 'vitest/node';

const vitest = await createVitest('test', {
  watch: false,
  bail: 1,
  retry: 0,
  maxWorkers: 1,
  reporters: [{}],
  silent: true,
});

async function run({ files, pattern, changed }) {
  for (const path of changed) vitest.invalidateFile(resolve(path));
  // What failed before would count as a failure of this run.
  vitest.state.filesMap.clear();
  vitest.state.idMap.clear();
  if (pattern) vitest.setGlobalTestNamePattern(new RegExp(pattern));
  else vitest.resetGlobalTestNamePattern();
  const wanted = new Set(files.map((path) => resolve(path)));
  const specifications = (await vitest.globTestSpecifications(files)).filter(({ moduleId }) =>
    wanted.has(moduleId),
  );
  const { testModules } = await vitest.runTestSpecifications(specifications);
  const tests = testModules.flatMap((module) => [...module.children.allTests()]);
  const has = (state) => tests.some((test) => test.result().state === state);
  const isStopped = testModules.some((module) => module.state() === 'failed' && module.children.size > 0);
  if (has('failed') || isStopped) return 'failed';
  return has('passed') && testModules.every((module) => module.state() !== 'failed') ? 'passed' : 'broken';
}

process.on('message', async (selection) => {
  const state = await run(selection).catch((error) => {
    console.error(error);
    return 'broken';
  });
  process.send({ state });
});
process.on('disconnect', async () => {
  await vitest.close();
  process.exit();
});
process.send({ state: 'ready' });
