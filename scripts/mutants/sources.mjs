// The declarations of the code that mutants change, found by their names: moved code keeps its mutants.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from '@swc/core';
import { root } from '../setup/paths.mjs';

const folders = ['contract', 'paymongo', 'sandbox', 'server', 'web'];
const isSource = (path) => /[.]tsx?$/.test(path) && !/[.](test|gen)[.]|(^|\/)testing\//.test(path);
const isTest = (path) => /[.]test[.]tsx?$/.test(path);

function readFiles(base, isWanted) {
  const paths = folders.flatMap((folder) =>
    readdirSync(join(base, folder, 'src'), { recursive: true, encoding: 'utf8' })
      .map((path) => `${folder}/src/${path.replaceAll('\\', '/')}`)
      .filter(isWanted)
      .sort(),
  );
  return new Map(paths.map((path) => [path, readFileSync(join(base, path), 'utf8')]));
}

/** Path → text of every source of the product below `base`, without tests. */
export const readSources = (base = root) => readFiles(base, isSource);
/** Path → text of every test of Vitest below `base`. */
export const readTests = (base = root) => readFiles(base, isTest);

/** Its first position is that of the source, however the parser counts. */
const prefix = '0;';

/** The name that a node gives to what is below it, or null. */
function symbolName(node) {
  if (/^(?:Function|Class)Declaration$/.test(node.type)) return node.identifier.value;
  if (node.type === 'VariableDeclarator') return node.id.value ?? null;
  if (/^(?:KeyValue|Method)Property$|^ClassMethod$/.test(node.type)) return keyOf(node) || null;
  return null;
}

/** Calls `visit(node, ancestors, symbol)` with each node below one, from the outside; `symbol` names what holds it. */
function walk(node, visit, ancestors = [], symbol = []) {
  if (Array.isArray(node)) for (const part of node) walk(part, visit, ancestors, symbol);
  else if (node && typeof node === 'object') {
    const isNode = typeof node.type === 'string';
    if (isNode) visit(node, ancestors, symbol);
    const name = isNode ? symbolName(node) : null;
    const inside = isNode ? [...ancestors, node] : ancestors;
    for (const part of Object.values(node))
      if (part && typeof part === 'object') walk(part, visit, inside, name ? [...symbol, name] : symbol);
  }
}

const parsed = new Map();

/** A function or class by its own name; that of `export default` is an expression. */
const isNamed = ({ type, identifier }) =>
  /^(?:Function|Class)(?:Declaration|Expression)$/.test(type) && identifier;

/** The syntax of a source: its `body`, its `declarations`, and a function that returns the place of a node. Parsed once. */
export function parseSource(path, text) {
  const known = parsed.get(path);
  if (known?.text === text) return known;
  const bytes = Buffer.from(prefix + text);
  const { body } = parseSync(prefix + text, {
    syntax: 'typescript',
    tsx: path.endsWith('x'),
    target: 'esnext',
  });
  const first = body[0].span.start;
  const index = (position) => bytes.subarray(0, position - first).toString().length - prefix.length;
  const declarations = [];
  walk(body.slice(1), (node) => {
    if (isNamed(node) || node.type === 'VariableDeclarator') declarations.push(node);
  });
  const read = {
    text,
    body: body.slice(1),
    declarations,
    place: ({ span }) => ({ start: index(span.start), end: index(span.end) }),
  };
  parsed.set(path, read);
  return read;
}

/** Calls `visit(node, ancestors, symbol)` with each node of a source; `symbol` is such as `['planCan', 'create']`. */
export const visitSource = (path, text, visit) => walk(parseSource(path, text).body, visit);

export const keyOf = ({ key }) => String(key?.value ?? '');

/** The types of the nodes that give an expression a type, such as `as const` and `!`. */
export const typeWrapper =
  /^Ts(?:AsExpression|ConstAssertion|SatisfiesExpression|NonNullExpression|TypeAssertion|Instantiation)$/;

/** The expression without brackets, types and `!`. */
export const unwrap = (node) =>
  node && (typeWrapper.test(node.type) || node.type === 'ParenthesisExpression')
    ? unwrap(node.expression)
    : node;

/** The nodes that a declaration's own name and the keys after it lead to. */
function declared(node, [name, ...keys]) {
  if (isNamed(node) && node.identifier.value === name) return keys.length === 0 ? node : null;
  if (node.type !== 'VariableDeclarator' || node.id.value !== name || !node.init) return null;
  let value = unwrap(node.init);
  for (const key of keys) value = unwrap(childOf(value, key));
  return value ?? null;
}

/** What an object has under a key, or a list at an index. */
const childOf = (value, key) =>
  value?.elements
    ? value.elements[key]?.expression
    : value?.properties?.find((one) => keyOf(one) === key)?.value;

/** Where a symbol such as `pageSize.feed` is declared: the places of its value or body. */
export function placesOf(sources, symbol) {
  const keys = symbol.split('.');
  return [...sources].flatMap(([path, text]) => {
    // An index of a list stands nowhere in it.
    if (!keys.every((key) => /^\d+$/.test(key) || text.includes(key))) return [];
    const { declarations, place } = parseSource(path, text);
    return declarations.flatMap((node) => {
      const target = declared(node, keys);
      return target ? [{ path, ...place(target) }] : [];
    });
  });
}

/** The numbers and texts below a constant of a source: `[key path, text of the value]`, such as `['pageSize.feed', '10']`. */
export function literalsOf(path, text, name) {
  const { declarations, place } = parseSource(path, text);
  const collect = (value, keys) => {
    const node = unwrap(value);
    if (node?.type === 'ObjectExpression')
      return node.properties.flatMap((property) => collect(property.value, [...keys, keyOf(property)]));
    if (node?.type === 'ArrayExpression')
      return node.elements.flatMap(({ expression }, index) => collect(expression, [...keys, index]));
    if (!/^(?:Numeric|String)Literal$|^BinaryExpression$/.test(node?.type)) return [];
    const { start, end } = place(node);
    return [[keys.join('.'), text.slice(start, end)]];
  };
  const constant = declarations.find(({ type, id }) => type === 'VariableDeclarator' && id.value === name);
  return constant ? collect(constant.init, [name]) : [];
}

/** The names of the constants of a source, exported or not. */
export const constantsOf = (path, text) =>
  parseSource(path, text)
    .body.map((node) => (node.type === 'ExportDeclaration' ? node.declaration : node))
    .filter(({ type }) => type === 'VariableDeclaration')
    .flatMap(({ declarations }) => declarations.map(({ id }) => id.value));
