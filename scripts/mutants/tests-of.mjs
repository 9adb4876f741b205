// The tests that have to notice a mutant of no row.
import { dirname } from 'node:path/posix';

const names = (text, name) => new RegExp(`\\b${name}\\b`).test(text);

/** The tests in the folder of a source, and those of `more`. */
export function testsBeside(tests, path, more = []) {
  const folder = dirname(path);
  const beside = [...tests.keys()].filter((test) => dirname(test) === folder);
  return { files: [...new Set([...beside, ...more])].sort() };
}

/**
 * The tests that have to notice a fault of an export of the contract: the contract's that name it, and those in the folders
 * of the server that read it; where nothing of the server does, those of the web, or all of the contract's.
 */
export function readerTests(sources, tests, name) {
  const foldersIn = (workspace) =>
    new Set(
      [...sources]
        .filter(([path, text]) => path.startsWith(workspace) && names(text, name))
        .map(([path]) => dirname(path)),
    );
  const server = foldersIn('server/src/');
  const folders = server.size > 0 ? server : foldersIn('web/src/');
  const files = [...tests].filter(
    ([path, text]) =>
      folders.has(dirname(path)) || (/^(?:contract|server)\//.test(path) && names(text, name)),
  );
  const chosen = files.length > 0 ? files : [...tests].filter(([path]) => path.startsWith('contract/'));
  return { files: chosen.map(([path]) => path).sort() };
}
