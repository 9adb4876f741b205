// The constants of the contract and the rules of permission that nothing reads. knip sees unused exports, but not unused keys of an
// exported object.
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { keyOf, parseSource, unwrap } from '../mutants/sources.mjs';

/** The modules of constants, with the folders whose code counts as a reader. */
const modules = {
  limits: ['contract', 'server', 'web', 'sandbox'],
  notices: ['contract', 'server', 'web'],
  problems: ['contract', 'server', 'web'],
};

const isSource = (name) => /[.]tsx?$/.test(name) && !/[.]test[.]tsx?$/.test(name);

const sourcesBelow = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && isSource(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !/[\\/](node_modules|testing)[\\/]/.test(path));

/** The name that a source uses for an export, or null: `import { upload as limits }` gives `limits`. */
function localName(text, exported) {
  const [, alias] = new RegExp(`\\b${exported} as (\\w+)\\s*[,}]`).exec(text) ?? [];
  if (alias) return alias;
  return new RegExp(`\\b${exported}\\b`).test(text) ? exported : null;
}

/** Whether a source reads a key of an exported object. Reading it by a variable reads all keys. */
function readsKey(text, exported, key) {
  const name = localName(text, exported);
  if (name === null) return false;
  return (
    new RegExp(`\\b${name}[?]?[.]${key}\\b`).test(text) ||
    new RegExp(`\\b${name}\\[`).test(text) ||
    new RegExp(`\\{[^{}]*\\b${key}\\b[^{}]*\\}\\s*=\\s*${name}\\b`).test(text)
  );
}

const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Every constant of `contract/src/{limits,notices,problems}.ts` without a reader, as `module.name` or `module.name.key`.
 * @param root a checkout.
 */
export async function unreadConstants(root) {
  const unread = [];
  const contract = join(root, 'contract');
  for (const [module, folders] of Object.entries(modules)) {
    const path = join(root, 'contract/src', `${module}.ts`);
    const sources = folders
      .flatMap((folder) => sourcesBelow(join(root, folder, 'src')))
      .filter((source) => relative(path, source) !== '')
      .map((source) => ({ source, text: readFileSync(source, 'utf8') }))
      .map(({ source, text }) =>
        module === 'problems' && source.startsWith(contract) ? text.replaceAll(/\[[^[\]]*\]/g, '') : text,
      );
    for (const [name, value] of Object.entries(await import(path))) {
      if (typeof value === 'function') continue;
      // A problem is named by its type, in quotes; a call's list of errors is no reader.
      const reads = (text, key) =>
        module === 'problems' ? text.includes(`'${key}'`) : readsKey(text, name, key);
      if (!isObject(value)) {
        if (!sources.some((text) => localName(text, name))) unread.push(`${module}.${name}`);
        continue;
      }
      for (const key of Object.keys(value)) {
        if (!sources.some((text) => reads(text, key))) unread.push(`${module}.${name}.${key}`);
      }
    }
  }
  return unread.sort();
}

/** The `<entity>Can` tables that a source declares, with their keys; those made of another table have none of their own. */
function permissionTables(path, text) {
  return parseSource(path, text).declarations.flatMap(({ type, id, init }) => {
    if (type !== 'VariableDeclarator' || !/^\w+Can$/.test(id.value ?? '')) return [];
    const table = unwrap(init);
    if (table?.type !== 'ObjectExpression') return [];
    return [{ name: id.value, keys: table.properties.map(keyOf).filter(Boolean) }];
  });
}

/**
 * Every rule of an `<entity>Can` table that no code of the product calls, as `planCan.change`: a rule that nothing enforces.
 * A rule that only another rule of its table calls counts as called.
 * @param root a checkout.
 */
export function uncalledRules(root) {
  const texts = ['contract', 'server', 'web']
    .flatMap((folder) => sourcesBelow(join(root, folder, 'src')))
    .map((path) => ({ path, text: readFileSync(path, 'utf8') }));
  return texts
    .filter(({ text }) => /\b\w+Can = \{/.test(text))
    .flatMap(({ path, text }) => permissionTables(path, text))
    .flatMap(({ name, keys }) =>
      keys
        .filter((key) => !texts.some((one) => readsKey(one.text, name, key)))
        .map((key) => `${name}.${key}`),
    )
    .sort();
}
