// A coverage provider of Vitest that records which lines of the server's decisions each file of tests executes, and writes them to
// `LINE_COVERAGE_FILE`. `startCoverage` and `takeCoverage` run in the workers, the rest in the process that starts them.
import { writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { SourceMap } from 'node:module';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDecision } from './decisions.mjs';

const isCovered = (url) => {
  const index = url.lastIndexOf('/server/src/');
  return index >= 0 && isDecision(url.slice(index + 1));
};

// Of the worker: this module is loaded again with those of an isolated test.
const key = Symbol.for('tara.lineCoverage');

/** Called before each file, also of the same worker. */
async function startCoverage() {
  if (globalThis[key]) return;
  const session = new Session();
  globalThis[key] = session;
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
}

/** What ran since the last time: of each source where the code begins in its script, and the counts of its functions. */
async function takeCoverage({ moduleExecutionInfo }) {
  const { result } = await globalThis[key].post('Profiler.takePreciseCoverage');
  return result
    .filter(({ url }) => isCovered(url))
    .map(({ url, functions }) => {
      const file = fileURLToPath(url);
      return { file, functions, start: moduleExecutionInfo?.get(file)?.startOffset ?? 0 };
    });
}

/** The line of the source, from 1, at each position of its transformed code; 0 where the source has nothing. */
function readLines({ code, map }) {
  const lines = new Uint32Array(code.length);
  const sourceMap = new SourceMap(map);
  let [line, column] = [0, 0];
  for (let offset = 0; offset < code.length; offset++) {
    lines[offset] = (sourceMap.findEntry(line, column).originalLine ?? -1) + 1;
    if (code[offset] === '\n') [line, column] = [line + 1, 0];
    else column++;
  }
  return lines;
}

/** The lines that functions executed, without what is outside of them: only the first test of a worker executes that. */
function executedLines(lines, functions, start) {
  const isExecuted = new Uint8Array(lines.length);
  // A range within another follows it.
  for (const { ranges } of functions)
    for (const { startOffset, endOffset, count } of ranges)
      if (ranges[0].startOffset >= start)
        isExecuted.fill(count > 0 ? 1 : 0, startOffset - start, endOffset - start);
  return [...new Set(lines.filter((_line, offset) => isExecuted[offset]))].filter(Boolean);
}

function getProvider() {
  let vitest;
  let reading = Promise.resolve();
  /** Source → file of tests → lines. */
  const sources = {};
  const allLines = new Map();
  const path = (file) => relative(vitest.config.root, file).replaceAll('\\', '/');

  async function add([test], projectName, environment, scripts) {
    const { environments } = vitest.getProjectByName(projectName).vite;
    for (const { file, functions, start } of scripts) {
      if (!allLines.has(file))
        allLines.set(file, readLines(await environments[environment].transformRequest(file)));
      const lines = executedLines(allLines.get(file), functions, start);
      sources[path(file)] ??= {};
      if (lines.length > 0) sources[path(file)][test] = lines;
    }
  }

  return {
    name: 'lines',
    initialize: (context) => {
      vitest = context;
    },
    resolveOptions: () => vitest.config.coverage,
    clean: () => {},
    onAfterSuiteRun: ({ coverage, testFiles, projectName, environment }) => {
      reading = reading.then(() => add(testFiles, projectName, environment, coverage));
    },
    generateCoverage: () => reading,
    reportCoverage: () => {
      if (vitest.state.getUnhandledErrors().length > 0) return;
      const tests = vitest.state
        .getFiles()
        .map(({ filepath, result }) => [
          path(filepath),
          { state: result?.state, durationMs: result?.duration },
        ]);
      const report = { sources, tests: Object.fromEntries(tests) };
      writeFileSync(process.env.LINE_COVERAGE_FILE, JSON.stringify(report));
    },
  };
}

export default { startCoverage, takeCoverage, stopCoverage: () => {}, getProvider };
