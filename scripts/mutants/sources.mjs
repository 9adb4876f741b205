// The declarations of the code that mutants change, found by their names: moved code keeps its mutants.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from '@swc/core';
import { root } from '../setup/paths.mjs';

const folders = ['contract', 'paymongo', 'sandbox', 'server', 'web'];
const isSource = (path) => /[.]tsx?$/.test(path) && !/[.](test|gen)[.]|(^|\/)testing\//.test(path);

/** Path → text of every source of the product below `base`, without tests. */
export function readSources(base = root) {
  const paths = folders.flatMap((folder) =>
    readdirSync(join(base, folder, 'src'), { recursive: true, encoding: 'utf8' })
      .map((path) => `${folder}/src/${path.replaceAll('\\', '/')}`)
      .filter(isSource),
  );
  return new Map(paths.map((path) => [path, readFileSync(join(base, path), 'utf8')]));
}

/** Its first position is that of the source, however the parser counts. */
const prefix = '0;';

/** Calls `visit` with each node below one. */
function walk(node, visit) {
  if (Array.isArray(node)) for (const part of node) walk(part, visit);
  else if (node && typeof node === 'object') {
    if (typeof node.type === 'string') visit(node);
    for (const part of Object.values(node)) if (part && typeof part === 'object') walk(part, visit);
  }
}

const parsed = new Map();

/** The declarations of a source, and a function that returns the place of a node in its text. Parsed once. */
function readDeclarations(path, text) {
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
    if (/^(?:Function|Class)Declaration$|^VariableDeclarator$/.test(node.type)) declarations.push(node);
  });
  const read = {
    text,
    declarations,
    place: ({ span }) => ({ start: index(span.start), end: index(span.end) }),
  };
  parsed.set(path, read);
  return read;
}

const keyOf = ({ key }) => String(key?.value ?? '');

/** The expression without `as const` and brackets. */
const unwrap = (node) =>
  node && /^(?:TsConstAssertion|TsAsExpression|TsSatisfiesExpression|ParenthesisExpression)$/.test(node.type)
    ? unwrap(node.expression)
    : node;

/** The nodes that a declaration's own name and the keys after it lead to. */
function declared(node, [name, ...keys]) {
  if (/^(?:Function|Class)Declaration$/.test(node.type) && node.identifier.value === name)
    return keys.length === 0 ? node : null;
  if (node.type !== 'VariableDeclarator' || node.id.value !== name || !node.init) return null;
  let value = unwrap(node.init);
  for (const key of keys) {
    const property = value?.properties?.find((one) => keyOf(one) === key);
    value = unwrap(property?.value);
  }
  return value ?? null;
}

/** Where a symbol such as `pageSize.feed` is declared: the places of its value or body. */
export function placesOf(sources, symbol) {
  const keys = symbol.split('.');
  return [...sources].flatMap(([path, text]) => {
    if (!keys.every((key) => text.includes(key))) return [];
    const { declarations, place } = readDeclarations(path, text);
    return declarations.flatMap((node) => {
      const target = declared(node, keys);
      return target ? [{ path, ...place(target) }] : [];
    });
  });
}

/** The numbers and texts below a constant of a source: `[key path, text of the value]`, such as `['pageSize.feed', '10']`. */
export function literalsOf(path, text, name) {
  const { declarations, place } = readDeclarations(path, text);
  const collect = (value, keys) => {
    const node = unwrap(value);
    if (node?.type === 'ObjectExpression')
      return node.properties.flatMap((property) => collect(property.value, [...keys, keyOf(property)]));
    if (!/^(?:Numeric|String)Literal$|^BinaryExpression$/.test(node?.type)) return [];
    const { start, end } = place(node);
    return [[keys.join('.'), text.slice(start, end)]];
  };
  const constant = declarations.find(({ type, id }) => type === 'VariableDeclarator' && id.value === name);
  return constant ? collect(constant.init, [name]) : [];
}
