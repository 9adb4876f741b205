// Keys of the contract's constants and of permission tables that nothing reads: knip sees unused exports, but no unused keys.
import { keyOf, parseSource, readSources, unwrap } from '../mutants/sources.mjs';

const constants = /^contract\/src\/(limits|notices|problems)[.]ts$/;

/** The exported constants of a source without functions, or its `<entity>Can` tables: their names and keys. */
function tablesOf(path, text) {
  return parseSource(path, text).body.flatMap(({ type, declaration }) =>
    type === 'ExportDeclaration' && declaration.type === 'VariableDeclaration'
      ? declaration.declarations.flatMap(({ id, init }) => {
          const value = unwrap(init);
          const isTable = value?.type === 'ObjectExpression';
          if (!constants.test(path) && !(isTable && id.value.endsWith('Can'))) return [];
          if (/Function|Arrow/.test(value.type)) return [];
          const keys = isTable ? value.properties.map(keyOf).filter(Boolean) : [];
          return [{ name: id.value, keys, isTable }];
        })
      : [],
  );
}

/** The name that a source uses for an export: `import { upload as limits }` gives `limits`. */
const localName = (text, name) => new RegExp(`\\b${name} as (\\w+)\\s*[,}]`).exec(text)?.[1] ?? name;

/** Whether a source reads a key of an exported object. Reading it by a variable reads all keys. */
function readsKey(text, exported, key) {
  const name = localName(text, exported);
  return new RegExp(
    `\\b${name}([?]?[.]${key}\\b|\\[)|\\{[^{}]*\\b${key}\\b[^{}]*\\}\\s*=\\s*${name}\\b`,
  ).test(text);
}

/** Whether a source names a problem by its type, in quotes. The errors that a call lists are no reader. */
const namesProblem = (path, text, type) =>
  (path.startsWith('contract/') ? text.replaceAll(/\[[^[\]]*\]/g, '') : text).includes(`'${type}'`);

/**
 * Every constant, or key of one, in `contract/src/{limits,notices,problems}.ts`, and every rule of an `<entity>Can` table, that no
 * source of the product reads, as `limits.pageSize.feed` or `planCan.change`.
 * @param root a checkout.
 */
export function unreadKeys(root) {
  const sources = [...readSources(root)];
  return sources.flatMap(([path, text]) => {
    const module = constants.exec(path)?.[1];
    // A rule that only another rule of its table calls counts as called.
    const readers = module ? sources.filter(([one]) => one !== path) : sources;
    const isRead = (name, key) =>
      readers.some(([one, source]) =>
        module === 'problems' ? namesProblem(one, source, key) : readsKey(source, name, key),
      );
    return tablesOf(path, text).flatMap(({ name, keys, isTable }) => {
      const id = module ? `${module}.${name}` : name;
      if (isTable) return keys.filter((key) => !isRead(name, key)).map((key) => `${id}.${key}`);
      return readers.some(([, source]) => new RegExp(`\\b${name}\\b`).test(source)) ? [] : [id];
    });
  });
}
