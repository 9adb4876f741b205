// The titles of tests, read from the syntax tree: comments, values and skipped tests are no titles.
import { parseSync } from '@swc/core';

const roots = /^(?:test|it|describe|describeScreen|\w+Test|with[A-Z]\w*)$/;
const notRun = new Set(['skip', 'todo', 'fixme', 'fails', 'fail']);

/** The tables of an `each` or `for` on the way to the callee, or null when the callee declares no test that runs. */
function declaredTables(callee) {
  if (callee.type === 'Identifier') return roots.test(callee.value) ? [] : null;
  if (callee.type === 'MemberExpression')
    return notRun.has(callee.property.value) ? null : declaredTables(callee.object);
  if (callee.type !== 'CallExpression') return null;
  const tables = declaredTables(callee.callee);
  return tables && [...tables, ...callee.arguments.map(({ expression }) => expression)];
}

/** The text of a literal, with `$` for each value in it; null for any other expression. */
function literalText(node) {
  if (node?.type === 'StringLiteral') return node.value;
  if (node?.type === 'TemplateLiteral') return node.quasis.map(({ raw }) => raw).join('$');
  if (node?.type === 'BinaryExpression' && node.operator === '+') {
    const sides = [literalText(node.left), literalText(node.right)];
    return sides.includes(null) ? null : sides.join('');
  }
  return null;
}

function walk(node, visit) {
  if (Array.isArray(node)) for (const part of node) walk(part, visit);
  else if (node && typeof node === 'object') {
    if (typeof node.type === 'string') visit(node);
    for (const part of Object.values(node)) if (part && typeof part === 'object') walk(part, visit);
  }
}

const keyText = ({ key }) => (key?.type === 'StringLiteral' || key?.type === 'Identifier' ? key.value : '');

/** The texts that a table of `each` writes into its title: its strings, its keys, and those of the constants it names. */
function tableTexts(tables, constants) {
  const texts = [];
  const named = new Set();
  const visit = (node) => {
    const text = literalText(node);
    if (text !== null) texts.push(text);
    if (node.type === 'Identifier' && constants.has(node.value) && !named.has(node.value)) {
      named.add(node.value);
      walk(constants.get(node.value), visit);
    }
  };
  walk(tables, visit);
  return texts;
}

/** The titles of a screen's further states: each is one test. */
function screenTexts(states) {
  const properties = states?.type === 'ObjectExpression' ? states.properties : [];
  const more = properties.find((property) => keyText(property) === 'more')?.value;
  return more?.type === 'ObjectExpression' ? more.properties.map(keyText) : [];
}

/** The names of a callee, such as `for`, `describe` and `test` of `test.describe.for(…)`. */
const namesOf = (callee) => [
  callee.value ?? callee.property?.value ?? '',
  ...[callee.callee, callee.object].filter(Boolean).flatMap(namesOf),
];

/**
 * Every title of the tests and groups that a test file declares and runs, with the texts that a table writes into it: `{ text, isShared }`, where a shared
 * one is that of a group, of one of a table of groups, or of every case of a table.
 */
export function readTitles(source, { tsx = false } = {}) {
  const program = parseSync(source, { syntax: 'typescript', tsx, target: 'esnext' });
  const constants = new Map();
  walk(program, (node) => {
    if (node.type === 'VariableDeclarator' && node.id.type === 'Identifier' && node.init)
      constants.set(node.id.value, node.init);
  });
  const titles = [];
  walk(program, (node) => {
    if (node.type !== 'CallExpression') return;
    const tables = declaredTables(node.callee);
    if (tables === null) return;
    const [title, states] = node.arguments.map(({ expression }) => expression);
    const text = literalText(title);
    if (text === null) return;
    const names = namesOf(node.callee);
    const isGroup = names.includes('describe');
    titles.push({ text, isShared: isGroup || names.includes('each') || names.includes('for') });
    if (/[%$]/.test(text))
      titles.push(...tableTexts(tables, constants).map((words) => ({ text: words, isShared: isGroup })));
    if (node.callee.value === 'describeScreen')
      titles.push(...screenTexts(states).map((name) => ({ text: name, isShared: false })));
  });
  return titles;
}

/** The texts of every title. */
export const testTitles = (source, options) => readTitles(source, options).map(({ text }) => text);
