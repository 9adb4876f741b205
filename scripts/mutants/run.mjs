// Runs tests on copies of the working tree, each with one fault in it.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { root } from '../setup/paths.mjs';
import { childEnvironment, pinnedNode } from '../setup/run.mjs';
import { applyMutant, literally } from './apply.mjs';

/** The files of the working tree: those of git, and new ones that it does not ignore. */
function treeFiles() {
  const { stdout } = spawnSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1e8,
  });
  return stdout.split('\0').filter(Boolean).sort();
}

/** A hash of the working tree, by which results are kept. */
export function treeHash() {
  const hash = createHash('sha256');
  for (const path of treeFiles()) {
    try {
      hash.update(`${path}\0`).update(readFileSync(join(root, path)));
    } catch {
      // Deleted, but not yet committed.
    }
  }
  return hash.digest('hex').slice(0, 16);
}

/** Links the packages of one folder; the workspaces below `@tara` have to be those of the copy. */
function linkPackages(from, to) {
  mkdirSync(to, { recursive: true });
  for (const name of readdirSync(from)) {
    if (name === '.cache' || name === '@tara') continue;
    symlinkSync(join(from, name), join(to, name));
  }
}

/** A copy of the working tree in a folder of its own, in which tests can run. */
export function copyTree() {
  const folder = mkdtempSync(join(tmpdir(), 'tara-mutants-'));
  for (const path of treeFiles()) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    try {
      cpSync(join(root, path), join(folder, path));
    } catch {
      // Deleted, but not yet committed.
    }
  }
  linkPackages(join(root, 'node_modules'), join(folder, 'node_modules'));
  const workspaces = readdirSync(join(root, 'node_modules', '@tara'));
  mkdirSync(join(folder, 'node_modules', '@tara'));
  for (const name of workspaces) {
    symlinkSync(join(folder, name), join(folder, 'node_modules', '@tara', name));
    const own = join(root, name, 'node_modules');
    try {
      linkPackages(own, join(folder, name, 'node_modules'));
    } catch {
      // Few workspaces have packages of their own.
    }
  }
  return folder;
}

/** A process of Vitest in a copy of the tree, started when it is needed and again after it was stopped. */
function testProcess(folder) {
  let child = null;
  const answer = () =>
    new Promise((done) => {
      const stop = () => done({ state: 'broken', failed: [] });
      child.once('exit', stop);
      child.once('message', (message) => {
        child.off('exit', stop);
        done(message);
      });
    });
  const stop = () => {
    if (!child) return;
    // With the servers and databases that its tests started.
    process.kill(-child.pid, 'SIGKILL');
    child = null;
  };
  const close = async () => {
    if (!child) return;
    const isClosed = new Promise((done) => child.once('exit', done));
    child.disconnect();
    const timer = setTimeout(stop, 30_000);
    await isClosed;
    clearTimeout(timer);
    child = null;
  };
  const run = async ({ files, titles }, changed, limitMs) => {
    if (!child || child.exitCode !== null) {
      child = spawn(pinnedNode(), [join(folder, 'scripts/mutants/test-process.mjs')], {
        cwd: folder,
        stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
        env: { ...childEnvironment(), CI: '' },
        detached: true,
      });
      await answer();
    }
    let isSlow = false;
    const timer = setTimeout(() => {
      isSlow = true;
      stop();
    }, limitMs);
    const pattern = titles.length > 0 ? `(?:${titles.map(literally).join('|')})(?![-a-z0-9])` : '';
    const done = answer();
    child.send({ files, pattern, changed });
    const { state, failed } = await done;
    clearTimeout(timer);
    return isSlow ? { state: 'slow', failed: [] } : { state, failed };
  };
  return { run, close };
}

/** The longest time of tests without a fault. */
const longestRunMs = 10 * 60_000;

/**
 * Tries each mutant of `groups` (`{ selection, mutants }`) and calls `tell(mutant, state, reason)`: `killed`, `survived`, or
 * `failed` when it could not be tried. `lanes` run side by side; at `endsAt` tests are stopped, and nothing is told of their mutant.
 */
export async function tryMutants(groups, { lanes, sources, tell, endsAt = Number.POSITIVE_INFINITY }) {
  const waiting = [...groups];
  const lane = async () => {
    const folder = copyTree();
    const tests = testProcess(folder);
    try {
      for (let group = waiting.shift(); group && Date.now() < endsAt; group = waiting.shift())
        await tryGroup(folder, group, { sources, tell, tests, endsAt });
    } finally {
      await tests.close();
      rmSync(folder, { recursive: true, force: true });
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}

/** Runs tests for `limitMs` at most. Its state is `over` when they were stopped because the time of all is. */
async function runUntil(endsAt, tests, selection, changed, limitMs) {
  const leftMs = endsAt - Date.now();
  if (leftMs <= 0) return { state: 'over', failed: [] };
  const result = await tests.run(selection, changed, Math.min(limitMs, leftMs));
  return result.state === 'slow' && leftMs < limitMs ? { state: 'over', failed: [] } : result;
}

/** How long the tests of a selection take; one that has a duration passed already. */
async function runWithout(selection, tests, endsAt) {
  if (selection.durationMs !== undefined) return { state: 'passed', durationMs: selection.durationMs };
  const start = Date.now();
  const { state } =
    selection.files.length === 0
      ? { state: 'broken' }
      : await runUntil(endsAt, tests, selection, [], longestRunMs);
  return { state, durationMs: Date.now() - start };
}

const stem = (path) => basename(path).replace(/[.].*$/, '');

/** The tests of the same name as a changed source first, random ones last: the first that fails ends the run. */
function nearestFirst(selection, paths) {
  const stems = new Set(paths.map(stem));
  const place = (file) => (/[.]property[.]test/.test(file) ? 2 : stems.has(stem(file)) ? 0 : 1);
  return { ...selection, files: selection.files.toSorted((one, other) => place(one) - place(other)) };
}

/** Why tests say nothing of a mutant, by how they end without one. */
const reasonsBefore = {
  broken: 'no test of the row ran',
  failed: 'its tests fail without it',
  slow: 'its tests take too long',
};

/** Tries the mutants of a group one after another. @param tests the process of the tests, see `testProcess` */
export async function tryGroup(folder, { selection, mutants }, { sources, tell, tests, endsAt }) {
  const titlesOf = (some) => [...new Set(some.flatMap(({ titles }) => titles))];
  const all = { ...selection, titles: titlesOf(mutants) };
  const { state: before, durationMs } = await runWithout(all, tests, endsAt);
  if (before === 'over') return;
  const limitMs = 60_000 + 5 * durationMs;
  const killed = [];
  const failed = new Set();
  let restored = [];
  for (const mutant of mutants) {
    if (before !== 'passed') {
      tell(mutant, 'failed', reasonsBefore[before]);
      continue;
    }
    if (selection.files.length === 0) {
      tell(mutant, 'survived', 'no test executes it');
      continue;
    }
    let changed;
    try {
      changed = applyMutant(sources, mutant);
    } catch (error) {
      tell(mutant, 'failed', error.message);
      continue;
    }
    const paths = changed.map(({ path }) => path);
    for (const { path, text } of changed) writeFileSync(join(folder, path), text);
    const ordered = { ...nearestFirst(selection, paths), titles: mutant.titles };
    const { state: after, failed: files } = await runUntil(
      endsAt,
      tests,
      ordered,
      [...restored, ...paths],
      limitMs,
    );
    for (const path of paths) writeFileSync(join(folder, path), sources.get(path));
    restored = paths;
    if (after === 'over') break;
    if (after === 'passed') tell(mutant, 'survived');
    else if (after === 'broken') tell(mutant, 'failed', 'the code cannot be loaded with it');
    else {
      killed.push(mutant);
      for (const path of files.length > 0 ? files : selection.files) failed.add(path);
      tell(mutant, 'killed');
    }
  }
  // What a fault left behind, such as a record, must not be what the tests notice.
  if (killed.length === 0) return;
  const files = selection.files.filter((path) => failed.has(path));
  const again = { files, titles: titlesOf(killed) };
  if ((await tests.run(again, restored, longestRunMs)).state === 'passed') return;
  for (const mutant of killed) tell(mutant, 'failed', 'its tests fail without it too, after the others');
}
