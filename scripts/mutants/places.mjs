// Mutants of places that the syntax tree has: `{ path, in, from, to, at }`, where `at` is the place of this source.
import { parseSource, visitSource } from './sources.mjs';

/** A mutant that puts `to` where the node stands; more of its fields are in `rest`. */
export function mutantOf(path, text, node, symbol, to, rest = {}) {
  const at = { path, ...parseSource(path, text).place(node) };
  return { ...rest, in: symbol.join('.') || path, from: text.slice(at.start, at.end), to, at };
}

/** Gives those that are called alike the number of their place, so that each has a name of its own. */
export function numbered(mutants, nameOf) {
  const seen = new Map();
  return mutants.map((mutant) => {
    const name = nameOf(mutant);
    const count = (seen.get(name) ?? 0) + 1;
    seen.set(name, count);
    return count === 1 ? mutant : { ...mutant, nth: count };
  });
}

const isLogical = ({ type, operator }) =>
  type === 'BinaryExpression' && (operator === '&&' || operator === '||');
const isNegation = ({ type, operator }) => type === 'UnaryExpression' && operator === '!';
const isTruth = (node) => node?.type === 'BooleanLiteral';
const isConstant = ({ type }) => /Literal$/.test(type);

/** The conditions that a truth is made of: what stands between `&&`, `||`, `!` and brackets. */
function leaves(node) {
  if (node.type === 'ParenthesisExpression') return leaves(node.expression);
  if (isLogical(node)) return [...leaves(node.left), ...leaves(node.right)];
  if (isNegation(node)) return leaves(node.argument);
  if (node.type === 'ConditionalExpression')
    return [...leaves(node.test), ...leaves(node.consequent), ...leaves(node.alternate)];
  return isConstant(node) ? [] : [node];
}

/** The expressions whose truth a function decides by or returns. */
function conditionsIn(node, ancestors) {
  if (node.type === 'IfStatement') return leaves(node.test);
  // Each case of a choice returns its own truth.
  if (node.type === 'ReturnStatement' && isTruth(node.argument))
    return ancestors.at(-1)?.type === 'SwitchCase' ? [node.argument] : [];
  if (node.type === 'ReturnStatement' && node.argument) return leaves(node.argument);
  if (node.type === 'ArrowFunctionExpression' && !/^(?:BlockStatement|FunctionBody)$/.test(node.body.type))
    return ancestors.at(-1)?.type === 'CallExpression' ? [] : leaves(node.body);
  return [];
}

/** Each condition below one of `names`, as true and as false. */
export function conditionMutants(path, text, isWanted, rest) {
  const mutants = [];
  visitSource(path, text, (node, ancestors, symbol) => {
    if (symbol.length === 0 || !isWanted(symbol)) return;
    // A function within a call, such as `some((id) => …)`, belongs to the condition around it.
    if (ancestors.some(({ type }) => type === 'CallExpression')) return;
    for (const leaf of conditionsIn(node, ancestors))
      for (const to of ['true', 'false'])
        if (!isTruth(leaf) || String(leaf.value) !== to)
          mutants.push(mutantOf(path, text, leaf, symbol, to, rest));
  });
  return mutants;
}

const opposites = {
  '===': '!==',
  '!==': '===',
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '&&': '||',
  '||': '&&',
  '+': '-',
  '-': '+',
};
const otherCalls = {
  eq: 'ne',
  ne: 'eq',
  isNull: 'isNotNull',
  isNotNull: 'isNull',
  lt: 'lte',
  lte: 'lt',
  gt: 'gte',
  gte: 'gt',
};
const otherWords = [
  [/\bis null\b/g, 'is not null'],
  [/\bis not null\b/g, 'is null'],
  [/ <> /g, ' = '],
  [/ <= /g, ' < '],
  [/ >= /g, ' > '],
];

const isFunction = ({ type }) => /Function|^ClassMethod$|^MethodProperty$|^Constructor$/.test(type);

/**
 * Changes of operators and conditions of a source: in its code, its statements of Drizzle, and its SQL. `isOutside` are those
 * outside of functions.
 */
export function operatorMutants(path, text) {
  const mutants = [];
  const { place } = parseSource(path, text);
  let rest = {};
  const replace = (start, end, to, symbol) =>
    mutants.push({
      ...rest,
      in: symbol.join('.') || path,
      from: text.slice(start, end),
      to,
      at: { path, start, end },
    });
  visitSource(path, text, (node, ancestors, symbol) => {
    if (symbol.length === 0) return;
    rest = ancestors.some(isFunction) ? {} : { isOutside: true };
    if (node.type === 'BinaryExpression' && opposites[node.operator]) {
      const [left, right] = [place(node.left), place(node.right)];
      if (node.operator === '+' && /['"`]/.test(text.slice(left.start, right.end))) return;
      const to = `${text.slice(left.start, left.end)} ${opposites[node.operator]} ${text.slice(right.start, right.end)}`;
      replace(left.start, right.end, to, symbol);
    }
    if (node.type === 'IfStatement')
      for (const to of ['true', 'false']) mutants.push(mutantOf(path, text, node.test, symbol, to, rest));
    if (isNegation(node))
      mutants.push(
        mutantOf(
          path,
          text,
          node,
          symbol,
          text.slice(place(node.argument).start, place(node.argument).end),
          rest,
        ),
      );
    if (node.type === 'CallExpression' && node.callee.type === 'Identifier') {
      const name = node.callee.value;
      if (Object.hasOwn(otherCalls, name) && node.arguments.length > 0) {
        const { start, end } = place(node);
        const call = text.slice(start, end);
        const other = otherCalls[name];
        const isImported = new RegExp(`import \\{[^}]*\\b${other}\\b[^}]*\\} from 'drizzle-orm'`).test(text);
        if (isImported) replace(start, end, other + call.slice(name.length), symbol);
      }
      if (name === 'and' && node.arguments.length > 1)
        for (const { expression } of node.arguments)
          replace(place(expression).start, place(expression).end, 'undefined', symbol);
    }
    if (node.type === 'TemplateElement') {
      const { start, end } = place(node);
      const words = text.slice(start, end);
      for (const [pattern, to] of otherWords)
        for (const { index, 0: word } of words.matchAll(pattern)) {
          const from = start + index;
          mutants.push({
            ...rest,
            in: symbol.join('.'),
            from: words.slice(Math.max(0, index - 30), index + 30),
            to,
            at: { path, start: from, end: from + word.length },
          });
        }
    }
  });
  return mutants;
}
