// The mutants that are made of the contract and of the code's own tables.
import { readFileSync } from 'node:fs';
import { openStages, stages } from '../../contract/src/interactions/stages.ts';
import { inRoot } from '../setup/paths.mjs';
import { limitRows } from './limit-rows.mjs';
import { conditionMutants, mutantOf, operatorMutants } from './places.mjs';
import { constantsOf, keyOf, literalsOf, parseSource, unwrap, visitSource } from './sources.mjs';
import { readerTests, testsBeside } from './tests-of.mjs';

const limitsPath = 'contract/src/limits.ts';
/** Also of an element of a list of times. */
const isTime = (symbol) => /(?:Ms|Seconds|Days|Hours)(?:[.]\d+)?$/.test(symbol);

/** The faults of one limit: one more and one less, or twice the time. */
function limitFaults(symbol, value) {
  if (isTime(symbol)) return [`(${value}) * 2`];
  return [`(${value}) + 1`, `(${value}) - 1`];
}

/**
 * Limits that have no mutants, with the reason. Those that a schema has as literals bound what programs send (ids, tokens,
 * addresses), far above what they send.
 */
export const limitsLeftOut = {
  search: 'how many hits a search looks at is not seen by anybody',
  prefsSize: 'a size of storage, refused far above what people store',
  pictureWidths: 'widths of stored variants: which one is sent is chosen by the browser',
  previewQuality: 'quality of pictures beside those of §9, which have their own rows',
  deletedName: 'a name, no number',
  timeZone: 'no number',
  termsVersion: 'the day of the terms: a new one is no fault',
  defaultUsername: 'a name: faults-of-rules.mjs',
  birthDate: 'days; faults-of-rules.mjs',
  pictureTypes: 'types, not numbers: faults-of-rules.mjs',
  paymentMethods: 'prices and days of the provider, which its tests take from there',
  largestInteger: 'what the database stores',
  largestPrice: 'the largest price of a plan, which has its own, as a bound of a filter',
  minuteMs: 'a unit',
  dayMs: 'a unit',
};

/** The row of a limit, by its name or the beginning of it. */
function limitRow(symbol) {
  const keys = symbol.split('.');
  const names = keys.map((_, index) => keys.slice(0, keys.length - index).join('.'));
  return names.map((name) => limitRows[name]).find(Boolean) ?? null;
}

const contractTests = (tests) => [...tests.keys()].filter((path) => path.startsWith('contract/')).sort();

/** The tests of limits that are proven by one file of tests, often of another feature than the one that reads them. */
export const limitsElsewhere = {
  pageSize: 'server/src/page-sizes.test.ts',
  objectionHours: 'server/src/features/disputes/disputes.test.ts',
  unpaidDays: 'server/src/config.test.ts',
  'jwtSeconds.usual': 'server/src/backend/account/security.test.ts',
  countLimit: 'server/src/features/counts/counts.test.ts',
  quickSearch: 'server/src/features/search/search.test.ts',
  'profileLength.city': 'contract/src/rules.test.ts',
  requestMessages: 'server/src/features/conversations/requests.test.ts',
  unansweredDays: 'server/src/features/payments/deadlines.test.ts',
  reminderDays: 'server/src/features/payments/deadlines.test.ts',
  offeredAheadDays: 'contract/src/plans/plan-times.test.ts',
  refundMarginDays: 'contract/src/money/payment-methods.test.ts',
  dayAtLatestDays: 'contract/src/money/payment-methods.test.ts',
  dataLength: 'server/src/backend/documents/fields.test.ts',
  notificationPauseHours: 'web/src/features/notifications/settings-screen.test.tsx',
  'notificationPauseHours.3': 'server/src/features/notifications/settings.test.ts',
  mostMatches: 'server/src/features/case-files/case-files.test.ts',
  transferFeeCentavos: 'contract/src/money/sales.test.ts',
};

/** The tests of a limit of no row: those that name it, those of the server that reads it, or those of the contract that checks it. */
function limitTests(sources, tests, symbol) {
  const isRead = (workspace, name) =>
    [...sources].some(
      ([path, text]) => path !== limitsPath && path.startsWith(workspace) && text.includes(name),
    );
  const [constant] = symbol.split('.');
  const elsewhere = limitsElsewhere[symbol] ?? limitsElsewhere[constant];
  if (elsewhere) return { files: [elsewhere] };
  // Who reads `price.minimumCentavos` by this name does not read the other one.
  const name = isRead('', symbol) ? symbol : constant;
  const naming = [...tests].filter(([path, text]) => path.startsWith('server/') && text.includes(name));
  if (naming.length > 0) return { files: naming.map(([path]) => path).sort() };
  if (isRead('contract/', name) && !isRead('server/', name)) return { files: contractTests(tests) };
  const { files } = readerTests(sources, tests, name);
  return { files: [...new Set([...(isRead('contract/', name) ? contractTests(tests) : []), ...files])] };
}

/** The limits of a source of the contract: each number in limits.ts, elsewhere each that has a name. `[symbol, text of the value]` */
const numbersOf = (path, text) =>
  constantsOf(path, text)
    .filter((name) => !Object.hasOwn(limitsLeftOut, name))
    .flatMap((name) => literalsOf(path, text, name))
    .filter(([symbol, value]) => !/^['"`]/.test(value) && (path === limitsPath || !symbol.includes('.')));

/** One mutant or two for each limit of the contract. */
export function limitMutants(sources, tests = new Map()) {
  return [...sources].flatMap(([path, text]) => {
    if (!path.startsWith('contract/src/')) return [];
    const named = numbersOf(path, text).flatMap(([symbol, value]) => {
      const row = path === limitsPath ? limitRow(symbol) : null;
      const proof = row ? { row } : { tests: limitTests(sources, tests, symbol) };
      return limitFaults(symbol, value).map((to) => ({ ...proof, in: symbol, to }));
    });
    return path === limitsPath ? [...named, ...reconnectMutants(text)] : named;
  });
}

/** Each time, and each number of attempts, after which the socket waits longer. */
function reconnectMutants(text) {
  const mutants = [];
  visitSource(limitsPath, text, (node, _ancestors, symbol) => {
    if (node.type !== 'NumericLiteral' || symbol[0] !== 'reconnectDelayMs') return;
    const to = node.value >= 1_000 ? node.value * 2 : node.value + 1;
    mutants.push(mutantOf(limitsPath, text, node, symbol, String(to), { row: '§9-reconnect' }));
  });
  return mutants;
}

const plain = (text) => text.replaceAll('’', "'");

/** The rows with the texts that they quote. */
function quotesOf(rows) {
  return Object.entries(rows).flatMap(([row, text]) =>
    [...text.matchAll(/‘([^’]+(?:’[a-z][^’]*)*)’/g)].map(([, quoted]) => ({ row, quoted: plain(quoted) })),
  );
}

/** The rows of the specification: id → text. */
export const readRows = () => JSON.parse(readFileSync(inRoot('docs/specification-rows.json'), 'utf8'));

const noticesPath = 'contract/src/notices.ts';
/** Words that people read; a string that is one lower-case word is a key of the code. */
const isWords = (node, parent) =>
  node.type === 'JSXText' ||
  (node.type === 'StringLiteral' &&
    !/^(?:Import|Export|Ts)/.test(parent?.type ?? '') &&
    !/^[a-z]+$/.test(node.value));

/** The texts of sources by their words: where each stands, and the text with a letter more. */
function textsOf(sources, isWanted) {
  const texts = new Map();
  for (const [path, text] of sources) {
    if (!isWanted(path)) continue;
    visitSource(path, text, (node, ancestors, symbol) => {
      if (!isWords(node, ancestors.at(-1))) return;
      const words = plain(node.value.trim().replace(/\s+/g, ' '));
      if (!/[A-Za-z]{2}/.test(words)) return;
      const to = node.type === 'JSXText' ? ` ${words}x ` : JSON.stringify(`${node.value}x`);
      texts.set(words, [...(texts.get(words) ?? []), mutantOf(path, text, node, symbol, to)]);
    });
  }
  return texts;
}

/** The words of the contract's notices. Those that no row quotes are left out: the specification leaves them open. */
export function noticeMutants(sources, rows = readRows()) {
  const quoted = new Set(quotesOf(rows).map((quote) => quote.quoted));
  return [...textsOf(sources, (path) => path === noticesPath)]
    .filter(([words]) => quoted.has(words))
    .flatMap(([, places]) => places)
    .map((mutant) => ({ ...mutant, tests: { files: ['contract/src/notices.test.ts'] } }));
}

const isShown = (path) =>
  (path.startsWith('web/') && !/[/]gallery[/]|[/]skeletons[.]tsx$/.test(path)) ||
  path === noticesPath ||
  path === 'contract/src/problems.ts' ||
  /^contract[/]src[/].*[/](?:forms|profiles)[.]ts$/.test(path);

/**
 * Each text that a row of the specification quotes, changed wherever people are shown it; the tests of the row have to notice.
 * What §7 quotes are values of calls; the title of a skeleton could be changed unseen, before its screen is there.
 */
export function textMutants(sources, rows = readRows()) {
  const texts = textsOf(sources, isShown);
  const quotes = new Map(quotesOf(rows).map((quote) => [`${quote.row} ${quote.quoted}`, quote]));
  return [...quotes.values()].flatMap(({ row, quoted }) => {
    const places = texts.get(quoted);
    if (!places || row.startsWith('§7')) return [];
    const each = places.map(({ at, to }) => ({ ...at, to }));
    return [{ row, in: row, from: quoted, to: `${quoted}x`, places: each }];
  });
}

/** Each default that the configuration and the contract's schemas have, changed. */
export function defaultMutants(sources) {
  const paths = [...sources.keys()].filter(
    (path) => path === 'server/src/config-variables.ts' || path.startsWith('contract/src/'),
  );
  return paths.flatMap((path) => {
    const text = sources.get(path);
    const mutants = [];
    const test = path.startsWith('server/') ? 'server/src/config.test.ts' : 'contract/src/inputs.test.ts';
    visitSource(path, text, (node, _ancestors, symbol) => {
      if (node.type !== 'CallExpression' || node.callee.type !== 'MemberExpression') return;
      const called = node.callee.property.value;
      if (called !== 'default' && called !== '_default') return;
      const argument = node.arguments.at(-1).expression;
      const to = otherValue(argument);
      if (to !== null) mutants.push(mutantOf(path, text, argument, symbol, to, { tests: { files: [test] } }));
    });
    return mutants;
  });
}

/** Another value of the same type; null of what is no constant. */
function otherValue({ type, value }) {
  if (type === 'NumericLiteral') return String(value + 1);
  if (type === 'StringLiteral') {
    const other = {
      0: '1',
      on: 'off',
      off: 'on',
      provider: 'manual',
      classic: 'v2',
      info: 'warn',
      development: 'production',
    };
    return `'${other[value] ?? `${value}x`}'`;
  }
  if (type === 'ArrayExpression') return "['x']";
  return null;
}

const isPolicy = (path) => /^contract\/src\/|^server\/src\/features\/[^/]+\/policy[.]ts$/.test(path);

/** The tests of what is proven in another folder than the one that has it, by the symbol. */
export const testsElsewhere = {
  memberCan: ['server/src/matrix/blocks.test.ts', 'server/src/features/blocks/mutes.test.ts'],
  planCan: ['server/src/features/interactions/steps.test.ts'],
  claimAccount: ['server/src/backend/account/takeover.test.ts'],
  textCode: ['server/src/backend/account/phone.test.ts'],
  createMagicUrl: ['server/src/backend/account/passwordless.test.ts'],
  mailUnaskedLink: [
    'server/src/backend/account/takeover.test.ts',
    'server/src/backend/documents/sign-up.test.ts',
  ],
  createEmailCode: ['server/src/backend/account/passwordless.test.ts'],
  likeable: ['server/src/features/notifications/social.test.ts'],
  notifyUnanswered: ['server/src/scheduled-jobs.test.ts'],
  writeLines: ['server/src/features/notifications/deliver.test.ts'],
  requestRecovery: ['server/src/backend/account/takeover.test.ts'],
  releaseFile: ['server/src/features/profiles/profiles.test.ts'],
  fileTasks: ['server/src/backend/storage/reading.test.ts'],
  readableChats: ['server/src/backend/documents/chats.test.ts'],
  endBannedRequests: ['server/src/features/reports/decisions.test.ts'],
  findOrAddIdentity: ['server/src/backend/account/oauth2-takeover.test.ts'],
  notifyNewDevice: ['server/src/backend/account/new-device.test.ts'],
  createReview: ['server/src/features/notifications/social.test.ts'],
  notifyComment: ['server/src/features/notifications/social.test.ts'],
  listChats: ['server/src/features/conversations/requests.test.ts'],
  settleDecision: ['server/src/features/disputes/decisions.test.ts'],
};

/** The tests of a table of rules: of the feature whose policy it is, and those of `testsElsewhere`. */
function permissionTests(sources, tests, path, name) {
  if (path.startsWith('contract/')) return readerTests(sources, tests, name);
  return testsBeside(tests, path, testsElsewhere[name]);
}

/** Each condition of a rule of an `<entity>Can` table, made true and made false. */
export function permissionMutants(sources, tests) {
  return [...sources].flatMap(([path, text]) => {
    if (!isPolicy(path)) return [];
    const names = constantsOf(path, text).filter((name) => /Can$/.test(name ?? ''));
    return names.flatMap((name) =>
      conditionMutants(path, text, ([first]) => first === name, {
        tests: permissionTests(sources, tests, path, name),
      }),
    );
  });
}

/** Each element of a list of texts, left out. */
function elementsOf(path, text, node, symbol, rest) {
  const { place } = parseSource(path, text);
  const array = unwrap(node);
  if (array?.type !== 'ArrayExpression') return [];
  const parts = array.elements.map(({ expression }) => {
    const { start, end } = place(expression);
    return text.slice(start, end);
  });
  return parts.map((_part, index) =>
    mutantOf(path, text, array, symbol, `[${parts.filter((_, other) => other !== index).join(', ')}]`, rest),
  );
}

const stepTests = { files: ['contract/src/interactions/steps.test.ts'] };
const parties = ['client', 'creator', 'other'];

/** The steps of a request: each party and stage more or less, each flag and each reason of its own left out. */
export function stepMutants(sources) {
  const path = 'contract/src/interactions/steps.ts';
  const text = sources.get(path);
  const stagesPath = 'contract/src/interactions/stages.ts';
  const mutants = [];
  const rest = { tests: stepTests };
  visitSource(path, text, (node, _ancestors, symbol) => {
    if (node.type !== 'KeyValueProperty' || symbol[0] !== 'steps' || symbol.length !== 2) return;
    const key = keyOf(node);
    const name = [...symbol, key];
    const { place } = parseSource(path, text);
    if (key === 'by' || key === 'from' || key === 'flags')
      mutants.push(...elementsOf(path, text, node.value, name, rest));
    const more = { by: parties, from: stages }[key] ?? [];
    const { start, end } = place(node.value);
    const value = text.slice(start, end);
    const known = value === 'openStages' ? openStages.join() : value;
    for (const one of more)
      if (!known.includes(one))
        mutants.push(mutantOf(path, text, node.value, name, `[...${value}, '${one}']`, rest));
    if (key === 'notBy') mutants.push(mutantOf(path, text, node.value, name, "''", rest));
    if (key === 'notFrom') mutants.push(mutantOf(path, text, node.value, name, '{}', rest));
  });
  const stagesText = sources.get(stagesPath);
  visitSource(stagesPath, stagesText, (node, _ancestors, symbol) => {
    if (node.type !== 'KeyValueProperty' || symbol[0] !== 'interactionLists' || symbol.length !== 2) return;
    mutants.push(...elementsOf(stagesPath, stagesText, node.value, [...symbol, keyOf(node)], rest));
  });
  for (const name of ['stageOf', 'listOf', 'endStep'])
    mutants.push(...conditionMutants(stagesPath, stagesText, ([first]) => first === name, rest));
  const verdicts = 'contract/src/interactions/verdicts.ts';
  mutants.push(
    ...conditionMutants(verdicts, sources.get(verdicts), ([first]) => first === 'verdictOf', rest),
  );
  return mutants;
}

const visibleCalls = /^(?:contentVisibleTo|visibleTo|\w+VisibleTo)$/;

/** The tests of who is hidden from whom: of the pages that show it, and of every call. */
const blockTests = ['features/blocks/blocks', 'features/blocks/mutes', 'matrix/blocks'].map(
  (name) => `server/src/${name}.test.ts`,
);

/** The test of a collection of documents; both kinds of chat have one. */
function collectionTests(path) {
  const [, name] = /^server\/src\/backend\/documents\/collections\/(\w+)[.]ts$/.exec(path) ?? [];
  return name ? [`server/src/backend/documents/${name === 'conversations' ? 'chats' : name}.test.ts`] : [];
}

/** Each column that a filter of visibility compares, left out. */
export function visibilityMutants(sources, tests) {
  return [...sources].flatMap(([path, text]) => {
    if (!path.startsWith('server/src/') || !text.includes('isibleTo(')) return [];
    const mutants = [];
    visitSource(path, text, (node, _ancestors, symbol) => {
      if (node.type !== 'CallExpression' || !visibleCalls.test(node.callee.value ?? '')) return;
      const others = [...collectionTests(path), ...blockTests, ...(testsElsewhere[symbol[0]] ?? [])];
      const rest = { tests: testsBeside(tests, path, others) };
      const { place } = parseSource(path, text);
      const parts = node.arguments.map(({ expression, spread }) => {
        const { start, end } = place(expression);
        return (spread ? '...' : '') + text.slice(start, end);
      });
      if (parts.length === 1) mutants.push(mutantOf(path, text, node, symbol, 'undefined', rest));
      for (let index = 1; index < parts.length; index++) {
        const to = `${node.callee.value}(${parts.filter((_, other) => other !== index).join(', ')})`;
        mutants.push(mutantOf(path, text, node, symbol, to, rest));
      }
    });
    return mutants;
  });
}

const isEffect = (called) =>
  /^notify(?:Group|Parties)?$|^owe[A-Z]\w*$|^tasks[.]\w+[.]enqueue$|^enqueueMail$|^mail(?:Link|Token)$|^writeLine$/.test(
    called,
  );

/** The name of what a call calls, such as `tasks.disburse.enqueue`. */
function calledName(node) {
  if (node.type === 'Identifier') return node.value;
  if (node.type === 'MemberExpression' && node.property.type === 'Identifier')
    return `${calledName(node.object)}.${node.property.value}`;
  return '';
}

/** Each refund, payout, task, notice, mail and line of a chat that the server begins, left out. */
export function effectMutants(sources, tests) {
  return [...sources].flatMap(([path, text]) => {
    if (!path.startsWith('server/src/features/')) return [];
    const mutants = [];
    visitSource(path, text, (node, ancestors, symbol) => {
      if (node.type !== 'CallExpression') return;
      if (!isEffect(calledName(node.callee)) || symbol.at(-1) === 'notify') return;
      const proof = testsBeside(tests, path, testsElsewhere[symbol[0]]);
      const parent = ancestors.at(-1);
      const whole = parent?.type === 'AwaitExpression' ? parent : node;
      mutants.push(mutantOf(path, text, whole, symbol, 'undefined', { tests: proof }));
    });
    return mutants;
  });
}

const isDecision = (path) =>
  /^server\/src\/features\//.test(path) &&
  !/\/(?:index|tables|routes|present|read|lists?|demo|\w*texts?)[.]ts$/.test(path);

/** The policies, steps and writes of the server. */
export const decisionSources = (sources) => new Map([...sources].filter(([path]) => isDecision(path)));

/** Changes of operators and conditions over them, of which a sample is drawn. */
export const serverOperatorMutants = (sources) =>
  [...decisionSources(sources)].flatMap(([path, text]) => operatorMutants(path, text));
