// Keys of the contract's constants and of permission tables that nothing reads: knip sees unused exports, but no unused keys.
import { join } from 'node:path/posix';
import { keyOf, parseSource, readSources, typeWrapper, unwrap, visitSource } from '../mutants/sources.mjs';

const constants = /^contract\/src\/(limits|notices|problems)[.]ts$/;

/** The source that an import names; undefined for a package. */
function importedPath(from, specifier, sources) {
  const contract = /^@tara\/contract\/(.+)$/.exec(specifier)?.[1];
  if (contract) return `contract/src/${contract}.ts`;
  const path = join(from, '..', specifier);
  return [path, `${path}.ts`, `${path}.tsx`].find((one) => sources.has(one));
}

const nameOf = ({ value }) => String(value);

/** Name → `{ path, name }` of what a source imports, or exports from another. */
function importedNames(path, text, sources) {
  const imports = new Map();
  const exports = new Map();
  for (const node of parseSource(path, text).body) {
    if (!node.source) continue;
    const from = importedPath(path, node.source.value, sources);
    if (!from) continue;
    for (const specifier of node.specifiers ?? []) {
      if (specifier.type === 'ImportSpecifier' && !node.typeOnly && !specifier.isTypeOnly)
        imports.set(specifier.local.value, {
          path: from,
          name: nameOf(specifier.imported ?? specifier.local),
        });
      if (specifier.type === 'ExportSpecifier')
        exports.set(nameOf(specifier.exported ?? specifier.orig), {
          path: from,
          name: nameOf(specifier.orig),
        });
    }
  }
  return { imports, exports };
}

/** The key paths of the values in an object, such as `[['terms', 'min'], ['terms', 'max']]`; only the first keys where it is `flat`. */
function leavesOf(object, flat) {
  return object.properties.flatMap((property) => {
    const key = keyOf(property);
    if (!key) return [];
    const value = flat ? null : unwrap(property.value);
    if (value?.type !== 'ObjectExpression') return [[key]];
    return leavesOf(value, flat).map((leaf) => [key, ...leaf]);
  });
}

/**
 * The exported constants of a source without functions, or its `<entity>Can` tables: `leaves` are the key paths of each, `spreads`
 * the local names of the tables that it takes over.
 */
function tablesOf(path, text) {
  if (!constants.test(path) && !/\w+Can\b/.test(text)) return [];
  return parseSource(path, text).body.flatMap(({ type, declaration }) =>
    type === 'ExportDeclaration' && declaration.type === 'VariableDeclaration'
      ? declaration.declarations.flatMap(({ id, init }) => {
          const value = unwrap(init);
          const isTable = value?.type === 'ObjectExpression';
          const module = constants.exec(path)?.[1];
          if (!module && !(isTable && id.value.endsWith('Can'))) return [];
          if (/Function|Arrow/.test(value.type)) return [];
          const leaves = isTable ? leavesOf(value, module !== 'limits') : [[]];
          const spreads = isTable
            ? value.properties.filter((one) => one.type === 'SpreadElement').map((one) => one.arguments.value)
            : [];
          return [{ path, name: id.value, module, leaves, spreads }];
        })
      : [],
  );
}

const any = '*';

/** The name and the keys that an expression such as `limits.pageSize[name]?.max` reads, with the expressions in brackets. */
function chainOf(expression) {
  const node = unwrap(expression);
  if (node?.type === 'Identifier') return { name: node.value, keys: [], computed: [] };
  if (node?.type === 'OptionalChainingExpression') return chainOf(node.base);
  if (node?.type !== 'MemberExpression') return null;
  const chain = chainOf(node.object);
  if (!chain) return null;
  const { property } = node;
  if (property.type !== 'Computed') return { ...chain, keys: [...chain.keys, property.value] };
  const { expression: key } = property;
  return key.type === 'StringLiteral' || key.type === 'NumericLiteral'
    ? { ...chain, keys: [...chain.keys, String(key.value)] }
    : { ...chain, keys: [...chain.keys, any], computed: [...chain.computed, key] };
}

/** The key paths that a pattern such as `{ terms: { min }, ...rest }` reads. */
function patternPaths(pattern) {
  if (pattern.type === 'AssignmentPattern') return patternPaths(pattern.left);
  if (pattern.type !== 'ObjectPattern') return [[]];
  return pattern.properties.flatMap((property) => {
    if (property.type === 'RestElement' || property.key?.type === 'Computed') return [[]];
    if (property.type === 'AssignmentPatternProperty') return [[property.key.value]];
    return patternPaths(property.value).map((path) => [keyOf(property), ...path]);
  });
}

/**
 * Calls `read(name, keys, within)` for each reading of a value by its name in a source: types and comments read nothing. `within` are
 * the names of the constants that hold it.
 */
function visitReads(path, text, read) {
  const visitAll = (nodes, within) => {
    for (const node of nodes) visit(node, within);
  };
  const visit = (node, within) => {
    if (Array.isArray(node)) return visitAll(node, within);
    if (!node || typeof node !== 'object') return;
    const { type } = node;
    if (typeof type !== 'string') return visitAll(Object.values(node), within);
    if (type.startsWith('Ts')) return typeWrapper.test(type) ? visit(node.expression, within) : undefined;
    if (/^(?:Import|ExportNamed|ExportAll)Declaration$/.test(type)) return;
    const chain = chainOf(node);
    if (chain) {
      read(chain.name, chain.keys, within);
      return visitAll(chain.computed, within);
    }
    if (type === 'VariableDeclarator') {
      const source = node.id.type === 'ObjectPattern' && node.init ? chainOf(node.init) : null;
      if (source) {
        for (const keys of patternPaths(node.id)) read(source.name, [...source.keys, ...keys], within);
        visitAll(source.computed, within);
      }
      if (node.id.type !== 'Identifier') visit(node.id, within);
      return source ? undefined : visit(node.init, node.id.value ? [...within, node.id.value] : within);
    }
    const { key, ...rest } = node;
    if (key?.type === 'Computed') visit(key.expression, within);
    visitAll(Object.values(rest), within);
  };
  visitAll(parseSource(path, text).body, []);
}

/** Every reading of tables: `{ keys, from, within }` by `path name` of the table. */
function readingsOf(sources, tables) {
  const names = new Map([...sources].map(([path, text]) => [path, importedNames(path, text, sources)]));
  const originOf = ({ path, name }) => {
    const further = names.get(path)?.exports.get(name);
    return further ? originOf(further) : `${path} ${name}`;
  };
  const origin = (path, name) => {
    const imported = names.get(path).imports.get(name);
    return imported ? originOf(imported) : `${path} ${name}`;
  };
  const readings = new Map(tables.map(({ path, name }) => [`${path} ${name}`, []]));
  for (const [path, text] of sources)
    visitReads(path, text, (name, keys, within) =>
      readings.get(origin(path, name))?.push({ keys, from: path, within }),
    );
  return { readings, origin };
}

const matches = (keys, leaf) =>
  leaf.every((key, index) => index >= keys.length || keys[index] === any || keys[index] === key);

/**
 * The types of problems that a source answers with, or shows the words of. What it only compares with or lists, such as the errors of
 * a call, is none.
 */
function problemsNamed(path, text) {
  const types = new Set();
  if (!/'[a-z]+_[a-z_0-9]+'/.test(text)) return types;
  visitSource(path, text, (node, ancestors) => {
    if (node.type !== 'StringLiteral') return;
    const parent = ancestors.at(-1);
    if (/^Ts/.test(parent?.type ?? '') && !typeWrapper.test(parent.type)) return;
    if (parent?.type === 'SwitchCase' || /^[!=]=/.test(parent?.operator ?? '')) return;
    if (parent?.type === 'ArrayExpression' && !path.startsWith('server/')) return;
    if (ancestors.some(({ type }) => type === 'ImportDeclaration')) return;
    types.add(node.value);
  });
  return types;
}

/**
 * Every constant, or key of one, in `contract/src/{limits,notices,problems}.ts`, and every rule of an `<entity>Can` table, that no
 * source of the product reads, as `limits.pageSize.feed` or `planCan.change (contract/src/plans/plans.ts)`. What a table reads of
 * itself is none, nor what the file of the contract's constants does.
 * @param root a checkout.
 */
export function unreadKeys(root) {
  const sources = readSources(root);
  const tables = [...sources].flatMap(([path, text]) => tablesOf(path, text));
  const tableNames = new RegExp(`\\b(?:${tables.map(({ name }) => name).join('|')})\\b`);
  const concerned = new Map([...sources].filter(([, text]) => tableNames.test(text)));
  const { readings, origin } = readingsOf(concerned, tables);
  const named = new Set([...sources].flatMap(([path, text]) => [...problemsNamed(path, text)]));
  const isOwn = ({ path, name, module }, { from, within }) =>
    from === path && (module !== undefined || within.includes(name));
  /** A reading of a table that takes over another one reads that, where it has no such key itself. */
  const readingsThrough = ({ path, name }) =>
    tables
      .filter((other) => other.spreads.some((spread) => origin(other.path, spread) === `${path} ${name}`))
      .flatMap((other) =>
        readingsFor(other).filter(({ keys: [first] }) => !other.leaves.some(([key]) => key === first)),
      );
  const readingsFor = (table) => [
    ...readings.get(`${table.path} ${table.name}`).filter((reading) => {
      const isSpread = tables.some(
        ({ path, name, spreads }) =>
          path === reading.from && reading.within.includes(name) && spreads.length > 0,
      );
      return !isOwn(table, reading) && !(isSpread && reading.keys.length === 0);
    }),
    ...readingsThrough(table),
  ];
  return tables.flatMap((table) => {
    const own = readingsFor(table);
    const { path, name, module, leaves } = table;
    const isRead = (leaf) =>
      module === 'problems' && leaf.length > 0
        ? named.has(leaf[0])
        : own.some(({ keys }) => matches(keys, leaf));
    return leaves
      .filter((leaf) => !isRead(leaf))
      .map((leaf) => [...(module ? [module] : []), name, ...leaf].join('.') + (module ? '' : ` (${path})`));
  });
}
