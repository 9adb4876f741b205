// The mutants that are made of the contract and of the code's own tables.
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path/posix';
import { openStages, stages } from '../../contract/src/interactions/stages.ts';
import { inRoot } from '../setup/paths.mjs';
import { namedRows } from '../setup/specification.mjs';
import { literally } from './apply.mjs';
import { isDecision } from './decisions.mjs';
import { limitRows } from './limit-rows.mjs';
import { conditionMutants, mutantOf, operatorMutants } from './places.mjs';
import { constantsOf, keyOf, literalsOf, parseSource, unwrap, visitSource } from './sources.mjs';
import { readerTests, testsBeside } from './tests-of.mjs';

const limitsPath = 'contract/src/limits.ts';
/** Also of an element of a list of times. */
const isTime = (symbol) => /(?:Ms|Seconds|Days|Hours)(?:[.]\d+)?$/.test(symbol);

/** The faults of one limit: one more and one less, or twice the time. */
function limitFaults(symbol, value) {
  if (isTime(symbol)) return [Number(value) === 0 ? '1' : `(${value}) * 2`];
  return [`(${value}) + 1`, `(${value}) - 1`];
}

/** Constants of the contract that are no limits, with the reason. */
export const limitsLeftOut = {
  deletedName: 'a name, no number',
  timeZone: 'no number',
  termsVersion: 'the day of the terms: a new one is no fault',
  defaultUsername: 'a name: faults-of-rules.mjs',
  birthDate: 'days; faults-of-rules.mjs',
  pictureTypes: 'types, not numbers: faults-of-rules.mjs',
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

/** The test of the bounds of fields. */
const boundTests = 'contract/src/limits.test.ts';

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
  paymentMethods: 'contract/src/money/payment-methods.test.ts',
  moneyAges: 'server/src/features/admin/money.test.ts',
  prefsSize: 'server/src/backend/account/apps.test.ts',
  pictureWidths: 'server/src/platform/images/images.test.ts',
  search: 'server/src/features/posts/search.test.ts',
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

/** Tables beside those of limits.ts whose numbers are limits. */
const limitTables = ['paymentMethods', 'moneyAges'];

const isLimit = (path, symbol) =>
  path === limitsPath || !symbol.includes('.') || limitTables.includes(symbol.split('.')[0]);

/** The limits of a source of the contract: each number in limits.ts, elsewhere each that has a name. `[symbol, text of the value]` */
const numbersOf = (path, text) =>
  constantsOf(path, text)
    .filter((name) => !Object.hasOwn(limitsLeftOut, name))
    .flatMap((name) => literalsOf(path, text, name))
    .filter(([symbol, value]) => !/^['"`]/.test(value) && isLimit(path, symbol));

/** What bounds a field of a schema. */
const isBound = (called) =>
  /(?:^|[.])(?:m(?:in|ax)(?:Length|imum)|text|bytes|(?:whole|query|signed)Number)$/.test(called);

/** One more and one less of each bound that a schema has as a number. */
function boundMutants(path, text) {
  const mutants = [];
  visitSource(path, text, (node, _ancestors, symbol) => {
    if (node.type !== 'CallExpression' || !isBound(calledName(node.callee))) return;
    for (const { expression } of node.arguments) {
      const isNegative = expression.type === 'UnaryExpression' && expression.operator === '-';
      if (!isNegative && expression.type !== 'NumericLiteral') continue;
      const { start, end } = parseSource(path, text).place(expression);
      for (const to of limitFaults('', text.slice(start, end)))
        mutants.push(mutantOf(path, text, expression, symbol, to, { tests: { files: [boundTests] } }));
    }
  });
  return mutants;
}

/** One mutant or two for each limit of the contract, and of the lists of the backend service. */
export function limitMutants(sources, tests = new Map()) {
  return [...sources].flatMap(([path, text]) => {
    if (path.startsWith('server/src/backend/')) return usualSizeMutants(path, text);
    if (!path.startsWith('contract/src/')) return [];
    const named = numbersOf(path, text).flatMap(([symbol, value]) => {
      const row = path === limitsPath ? limitRow(symbol) : null;
      const proof = row ? { row } : { tests: limitTests(sources, tests, symbol) };
      return limitFaults(symbol, value).map((to) => ({ ...proof, in: symbol, to }));
    });
    const more = path === limitsPath ? reconnectMutants(text) : boundMutants(path, text);
    return [...named, ...more];
  });
}

/** The tests of the sizes of lists and pictures of the backend service, beside them. */
const sizeTests = {
  'documents/collections/plans': 'documents/plans',
  'documents/read': 'documents/lists',
  'documents/sql': 'documents/lists',
};

/** How much of a list, and how large a picture, the backend service answers where a call asks for none, and at most. */
function usualSizeMutants(path, text) {
  const mutants = [];
  const [, name] = /^server\/src\/backend\/(.*)[.]ts$/.exec(path);
  const rest = { tests: { files: [`server/src/backend/${sizeTests[name] ?? name}.test.ts`] } };
  visitSource(path, text, (node, ancestors, symbol) => {
    if (node.type !== 'NumericLiteral' || ancestors.some(({ type }) => /Function/.test(type))) return;
    if (!/^(?:(?:usual|max|largest|most)[A-Z]|pageLimits)/.test(symbol[0] ?? '')) return;
    for (const to of limitFaults('', node.value)) mutants.push(mutantOf(path, text, node, symbol, to, rest));
  });
  return mutants;
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

/** What stands for a value in the words of a template. */
const hole = '\0';
const oneSpaced = (text) => plain(text.trim().replace(/\s+/g, ' '));

/** The words of a template with its values as holes, and the longest of its parts; null of one that is no text, such as an address. */
function templateText({ quasis }) {
  const parts = quasis.map(({ cooked, raw }) => cooked ?? raw);
  const longest = quasis[parts.indexOf(parts.toSorted((one, other) => other.length - one.length)[0])];
  const words = oneSpaced(parts.join(hole));
  return quasis.length > 1 && /[a-z]{2,} [a-z]{2,}/i.test(longest.raw) ? { words, longest } : null;
}

/** The texts of sources: `words` of each, and the mutant of its place that has a letter more. */
function textsOf(sources, isWanted) {
  const texts = [];
  for (const [path, text] of sources) {
    if (!isWanted(path)) continue;
    visitSource(path, text, (node, ancestors, symbol) => {
      const template = node.type === 'TemplateLiteral' ? templateText(node) : null;
      if (template) {
        const { words, longest } = template;
        const to = longest.raw.replace(/[a-z](?=[^a-z]*$)/i, '$&x');
        texts.push({ words, mutant: mutantOf(path, text, longest, symbol, to) });
      }
      if (!isWords(node, ancestors.at(-1))) return;
      const words = oneSpaced(node.value);
      if (!/[A-Za-z]{2}/.test(words)) return;
      const to = node.type === 'JSXText' ? ` ${words}x ` : JSON.stringify(`${node.value}x`);
      texts.push({ words, mutant: mutantOf(path, text, node, symbol, to) });
    });
  }
  return texts;
}

/** Whether a text says what is quoted; the holes of a template take any value. */
const says = ({ words }, quoted) =>
  words === quoted ||
  (words.includes(hole) && new RegExp(`^${words.split(hole).map(literally).join('.+')}$`).test(quoted));

/** The places of what a row quotes; of a title and a text that it joins those of both. */
function placesSaying(texts, quoted) {
  const saying = (part) => texts.filter((text) => says(text, part)).map(({ mutant }) => mutant);
  const whole = saying(quoted);
  if (whole.length > 0 || !quoted.includes(' - ')) return whole;
  const parts = quoted.split(' - ').map(saying);
  return parts.every((places) => places.length > 0) ? parts.flat() : [];
}

const isShown = (path) =>
  (path.startsWith('web/') && !/[/]gallery[/]|[/]skeletons[.]tsx$/.test(path)) ||
  path === noticesPath ||
  path === 'contract/src/problems.ts' ||
  /^contract[/]src[/].*[/](?:forms|profiles)[.]ts$/.test(path);

/** Quotes that no text of a screen says, each with the reason. */
export const quotesElsewhere = {
  '§1-profiles working as': 'what the specification calls a field; its label is Work or study',
  '§3-user-profile-username User025': 'a name that is stored: §9-default-username has its fault',
  '§9-default-username User025': 'a name that is stored: the row has its fault',
  '§8-like-failure error': 'a status of a reply: the row has its fault',
  '§9-payment-3d-secure any': 'a value of a call: the row has its fault',
};

/** The quotes of rows beside §7, whose quotes are values of calls: `{ row, quoted, places }`, each once. */
function shownQuotes(texts, rows) {
  const quotes = new Map(quotesOf(rows).map((quote) => [`${quote.row} ${quote.quoted}`, quote]));
  return [...quotes.values()]
    .filter(({ row }) => !row.startsWith('§7'))
    .map((quote) => ({ ...quote, places: placesSaying(texts, quote.quoted) }));
}

/** The rows of which a quote is said nowhere: `row (quote)`. */
export function quotesWithoutPlace(sources, rows = readRows()) {
  return shownQuotes(textsOf(sources, isShown), rows)
    .filter(({ row, quoted, places }) => places.length === 0 && !quotesElsewhere[`${row} ${quoted}`])
    .map(({ row, quoted }) => `${row} (‘${quoted}’)`);
}

/** Compares constants with the same words: no reader of them. */
const constantsTest = 'contract/src/notices.test.ts';

const writtenTexts = new WeakMap();

/** Path → text of the tests, as words are written in quotes. */
function writtenIn(tests) {
  const read = () => [...tests].map(([path, text]) => [path, oneSpaced(text.replaceAll("\\'", "'"))]);
  if (!writtenTexts.has(tests)) writtenTexts.set(tests, read());
  return writtenTexts.get(tests);
}

/** The tests that say something. */
const testsSaying = (tests, words) => {
  const parts = words.split(hole).map((part) => part.trim());
  return writtenIn(tests)
    .filter(([path, text]) => path !== constantsTest && parts.every((part) => text.includes(part)))
    .map(([path]) => path);
};

const samePlace = (one, other) => one.at.path === other.at.path && one.at.start === other.at.start;

/**
 * Each text of a notice, a problem, the reason of a step or a form that a test beside that of the constants shows; that test has to
 * notice. Those that rows quote are of `textMutants`.
 */
export function noticeMutants(sources, tests = new Map(), rows = readRows()) {
  const isSaid = (path) =>
    /^contract[/]src[/](?:interactions[/]steps|notices|problems|.*[/](?:forms|profiles))[.]ts$/.test(path);
  const quoted = shownQuotes(textsOf(sources, isShown), rows).flatMap(({ places }) => places);
  return textsOf(sources, isSaid)
    .filter(({ words, mutant }) => words.includes(' ') && !quoted.some((place) => samePlace(place, mutant)))
    .map(({ words, mutant }) => ({ ...mutant, tests: { files: testsSaying(tests, words).sort() } }))
    .filter(({ tests: { files } }) => files.length > 0);
}

/**
 * Each text that a row of the specification quotes, changed wherever people are shown it: the tests of the row have to notice. Where
 * several places say it, each is also changed alone: the tests of one of its rows, those beside it, or those of `testsElsewhere`
 * have to notice. What §7 quotes are values of calls; the title of a skeleton could be changed unseen, before its screen is there.
 */
export function textMutants(sources, tests = new Map(), rows = readRows()) {
  const quotes = shownQuotes(textsOf(sources, isShown), rows).filter(({ places }) => places.length > 0);
  const byRow = quotes.map(({ row, quoted, places }) => {
    const each = places.map(({ at, to }) => ({ ...at, to }));
    return { row, in: row, from: quoted, to: `${quoted}x`, places: each };
  });
  const named = namedRows();
  const alone = [...Map.groupBy(quotes, ({ quoted }) => quoted)].flatMap(([quoted, same]) => {
    const [{ places }] = same;
    if (places.length === 1) return [];
    const rowTests = same.flatMap(({ row }) => named.get(row) ?? []).filter((path) => tests.has(path));
    const saying = testsSaying(tests, quoted);
    return places.map((mutant) => {
      const folder = dirname(mutant.at.path);
      const isNear = (path) => mutant.at.path.startsWith('contract/') || dirname(path) === folder;
      const elsewhere = testsElsewhere[mutant.in.split('.')[0]] ?? [];
      const files = [...new Set([...rowTests, ...saying.filter(isNear), ...elsewhere])].sort();
      return { ...mutant, tests: { files } };
    });
  });
  return [...byRow, ...alone];
}

const isDefaulted = (path) => /^(?:contract|server)\/src\/(?!testing\/|platform\/)/.test(path);

/** The value that a node has where none comes with it: of a schema, of a column, of a parameter; or null. */
function defaultIn(node) {
  if (node.type === 'AssignmentPattern') return node.right;
  if (node.type === 'AssignmentPatternProperty') return node.value;
  const called = node.type === 'CallExpression' && node.callee.property?.value;
  return called === 'default' || called === '_default' ? node.arguments.at(-1).expression : null;
}

/** The tests of a default: of the configuration, of the inputs of calls, of columns, or those beside. */
function defaultTests(tests, path, symbol) {
  if (path === 'server/src/config-variables.ts') return { files: ['server/src/config.test.ts'] };
  if (path.startsWith('contract/'))
    return { files: ['contract/src/inputs.test.ts', ...(testsElsewhere[symbol[0]] ?? [])] };
  if (/\/tables[.]ts$/.test(path)) return { files: ['server/src/platform/database/tables.test.ts'] };
  return testsBeside(tests, path, testsElsewhere[symbol[0]]);
}

/**
 * Whether a parameter's default can be seen: a choice, or what the backend service answers where a call asks for nothing. What an
 * element of a list is where there is none, and an empty text or list, are for the compiler.
 */
const isSeen = (path, { type, value }, parent) =>
  parent?.type !== 'ArrayPattern' &&
  (type === 'BooleanLiteral' ||
    (path.startsWith('server/src/backend/') && type !== 'ArrayExpression' && value !== ''));

/** Each default that the configuration, schemas, columns and parameters have, changed. */
export function defaultMutants(sources, tests = new Map()) {
  return [...sources].flatMap(([path, text]) => {
    if (!isDefaulted(path)) return [];
    const mutants = [];
    visitSource(path, text, (node, ancestors, symbol) => {
      const value = defaultIn(node);
      const isParameter = node.type.startsWith('Assignment');
      if (!value || (isParameter && !isSeen(path, value, ancestors.at(-1)))) return;
      const to = otherValue(value);
      if (to === null) return;
      mutants.push(mutantOf(path, text, value, symbol, to, { tests: defaultTests(tests, path, symbol) }));
    });
    return mutants;
  });
}

/** Another value of the same type; null of what is no constant. */
function otherValue({ type, value }) {
  if (type === 'NumericLiteral') return String(value + 1);
  if (type === 'BooleanLiteral') return String(!value);
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
  reportCan: ['web/src/features/admin/reports-screens.test.tsx'],
  firstSteps: ['web/src/features/posts/screens.test.tsx'],
  MessageInput: ['web/src/features/conversations/conversation-screen.test.tsx'],
  ErrorState: ['web/src/features/conversations/screens.test.tsx'],
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
  isOwnFile: ['server/src/backend/storage/reading.test.ts'],
  end: ['server/src/features/interactions/steps.test.ts'],
  readableChats: ['server/src/backend/documents/chats.test.ts'],
  endBannedRequests: ['server/src/features/reports/decisions.test.ts'],
  findOrAddIdentity: ['server/src/backend/account/oauth2-takeover.test.ts'],
  notifyNewDevice: ['server/src/backend/account/new-device.test.ts'],
  createReview: ['server/src/features/notifications/social.test.ts'],
  notifyComment: ['server/src/features/notifications/social.test.ts'],
  listChats: ['server/src/features/conversations/requests.test.ts'],
  settleDecision: ['server/src/features/disputes/decisions.test.ts'],
  enqueueMail: ['server/src/backend/account/takeover.test.ts'],
  enqueuePushes: ['server/src/features/notifications/push-chat.test.ts'],
  accountWireRoutes: ['server/src/backend/documents/sign-up.test.ts'],
  partySides: ['server/src/backend/documents/interactions.test.ts'],
  interactionVisibleTo: ['server/src/backend/documents/interactions.test.ts'],
  interactionSides: ['server/src/backend/documents/interactions.test.ts'],
  planVisibleTo: ['server/src/backend/documents/plans.test.ts'],
  planListedFor: ['server/src/backend/documents/plans.test.ts'],
  verificationVisibleTo: ['server/src/backend/documents/members.test.ts'],
  verificationListedFor: ['server/src/backend/documents/members.test.ts'],
};

/** The tests of a table of rules: of those who read it or of the feature whose policy it is, and those of `testsElsewhere`. */
function permissionTests(sources, tests, path, name) {
  if (!path.startsWith('contract/')) return testsBeside(tests, path, testsElsewhere[name]);
  const { files } = readerTests(sources, tests, name);
  return { files: [...new Set([...files, ...(testsElsewhere[name] ?? [])])].sort() };
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

/** Each element of a list, or property of an object, left out. */
function elementsOf(path, text, node, symbol, rest) {
  const { place } = parseSource(path, text);
  const whole = unwrap(node);
  if (!/^(?:Array|Object)Expression$/.test(whole?.type)) return [];
  const textOf = (first, last = first) => text.slice(place(first).start, place(last).end);
  const parts = whole.elements
    ? whole.elements.map(({ expression, spread }) => (spread ? '...' : '') + textOf(expression))
    : whole.properties.map(({ key, value, arguments: spread }) =>
        spread ? `...${textOf(spread)}` : textOf(key, value),
      );
  const [open, close] = whole.elements ? '[]' : '{}';
  return parts.map((_part, index) => {
    const to = open + parts.filter((_, other) => other !== index).join(', ') + close;
    return mutantOf(path, text, whole, symbol, to, rest);
  });
}

/** Each element of `all` that a list does not have, added. */
function moreOf(path, text, node, symbol, all, rest) {
  const { start, end } = parseSource(path, text).place(node);
  const value = text.slice(start, end);
  const known = value === 'openStages' ? openStages.join() : value;
  return all
    .filter((one) => !known.includes(one))
    .map((one) => mutantOf(path, text, node, symbol, `[...${value}, '${one}']`, rest));
}

const stepTests = { files: ['contract/src/interactions/steps.test.ts'] };
const parties = ['client', 'creator', 'other'];

/**
 * The steps and lists of a request: each party and stage more or less, each flag, each reason of its own and each stage of that
 * left out.
 */
export function stepMutants(sources) {
  const path = 'contract/src/interactions/steps.ts';
  const text = sources.get(path);
  const mutants = [];
  const rest = { tests: stepTests };
  visitSource(path, text, (node, _ancestors, symbol) => {
    if (
      /^(?:Array|Object)Expression$/.test(node.type) &&
      (symbol[2] === 'notFrom' || symbol[0] === 'withoutDispute')
    )
      mutants.push(...elementsOf(path, text, node, symbol.slice(0, 3), rest));
    if (node.type !== 'KeyValueProperty' || symbol[0] !== 'steps' || symbol.length !== 2) return;
    const key = keyOf(node);
    const name = [...symbol, key];
    if (key === 'by' || key === 'from' || key === 'flags')
      mutants.push(...elementsOf(path, text, node.value, name, rest));
    if (key === 'by') mutants.push(...moreOf(path, text, node.value, name, parties, rest));
    if (key === 'from') mutants.push(...moreOf(path, text, node.value, name, stages, rest));
    if (key === 'notBy') mutants.push(mutantOf(path, text, node.value, name, "''", rest));
  });
  const stagesPath = 'contract/src/interactions/stages.ts';
  const stagesText = sources.get(stagesPath);
  visitSource(stagesPath, stagesText, (node, _ancestors, symbol) => {
    if (node.type !== 'KeyValueProperty' || symbol[0] !== 'interactionLists' || symbol.length !== 2) return;
    const all = keyOf(node) === 'side' ? parties.slice(0, 2) : stages;
    const name = [...symbol, keyOf(node)];
    mutants.push(...elementsOf(stagesPath, stagesText, node.value, name, rest));
    mutants.push(...moreOf(stagesPath, stagesText, node.value, name, all, rest));
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

/** The tests of collections of documents that have none of their own name. */
const collectionNames = { conversations: 'chats', messages: 'chats', likes: 'posts', people: 'users' };
function collectionTests(path) {
  const [, name] = /^server\/src\/backend\/documents\/collections\/(\w+)[.]ts$/.exec(path) ?? [];
  return name ? [`server/src/backend/documents/${collectionNames[name] ?? name}.test.ts`] : [];
}

/** What says in SQL which records somebody reads. */
const isReadable = (symbol) =>
  symbol.some((name) =>
    /(?:VisibleTo|ListedFor|Sides)$|^readable[A-Z]|^isParty$|^(?:isOwn|ownSave$)/.test(name),
  ) || ['likeCollection.own', 'viewerVisibility'].some((name) => symbol.join('.').startsWith(name));

/**
 * The parts of such a condition, and what stands in their place: of `and` and `or`, of a choice, or the whole of one; what
 * `visibleCalls` name goes by its columns.
 */
function conditionParts(node) {
  if (node.type === 'ConditionalExpression') return ['true', 'false'].map((to) => [node.test, to]);
  if (node.type === 'TaggedTemplateExpression' && /^\s*array\(/.test(node.template.quasis[0].raw))
    return [[node, "sql`'{}'::text[]`"]];
  if (node.type === 'ArrowFunctionExpression' && /^(?:eq|isNull)$/.test(node.body.callee?.value ?? ''))
    return [[node.body, 'undefined']];
  if (node.type !== 'CallExpression' || !/^(?:and|or)$/.test(node.callee.value ?? '')) return [];
  return node.arguments
    .filter(({ spread, expression }) => !spread && !visibleCalls.test(expression.callee?.value ?? ''))
    .map(({ expression }) => [expression, 'undefined']);
}

/** Whether a call asks if somebody is among those who are hidden from the viewer. */
const asksForHidden = (node) =>
  node.type === 'CallExpression' &&
  /hidden(?:Account|Profile)Ids[.](?:includes|some)$/.test(calledName(node.callee));

/** Each column that a filter of visibility compares and each part of a condition of what is read, left out; and nobody hidden. */
export function visibilityMutants(sources, tests) {
  return [...sources].flatMap(([path, text]) => {
    if (!/^server\/src\/(?!testing\/)/.test(path)) return [];
    const mutants = [];
    visitSource(path, text, (node, _ancestors, symbol) => {
      const isFilter = node.type === 'CallExpression' && visibleCalls.test(node.callee.value ?? '');
      const parts = isReadable(symbol) ? conditionParts(node) : [];
      if (asksForHidden(node)) parts.push([node, 'false']);
      const isList = node.type === 'ArrayExpression' && /Sides$/.test(symbol[0] ?? '');
      if (!isFilter && !isList && parts.length === 0) return;
      const others = [...collectionTests(path), ...blockTests, ...(testsElsewhere[symbol[0]] ?? [])];
      const rest = { tests: testsBeside(tests, path, others) };
      if (isList) mutants.push(...elementsOf(path, text, node, symbol, rest));
      for (const [part, to] of parts) mutants.push(mutantOf(path, text, part, symbol, to, rest));
      if (!isFilter) return;
      const { place } = parseSource(path, text);
      const columns = node.arguments.map(({ expression, spread }) => {
        const { start, end } = place(expression);
        return (spread ? '...' : '') + text.slice(start, end);
      });
      if (columns.length === 1) mutants.push(mutantOf(path, text, node, symbol, 'undefined', rest));
      for (let index = 1; index < columns.length; index++) {
        const to = `${node.callee.value}(${columns.filter((_, other) => other !== index).join(', ')})`;
        mutants.push(mutantOf(path, text, node, symbol, to, rest));
      }
    });
    return mutants;
  });
}

const isEffect = (called) =>
  /^notify(?:Group|Parties)?$|^owe[A-Z]\w*$|[.]enqueue(?:Many|All)?$|^enqueueMail$|^mail(?!Failure)[A-Z]\w*$|^writeLine$/.test(
    called,
  );

/** The name of what a call calls, such as `tasks.disburse.enqueue`. */
function calledName(node) {
  if (node.type === 'OptionalChainingExpression') return calledName(node.base);
  if (node.type === 'Identifier') return node.value;
  if (node.type === 'MemberExpression') return `${calledName(node.object)}.${node.property.value ?? ''}`;
  return '';
}

/** Each refund, payout, task, notice, mail and line of a chat that the server begins, left out. */
export function effectMutants(sources, tests) {
  return [...sources].flatMap(([path, text]) => {
    if (!path.startsWith('server/src/') || path.startsWith('server/src/testing/')) return [];
    const mutants = [];
    visitSource(path, text, (node, ancestors, symbol) => {
      if (node.type !== 'CallExpression' || !isEffect(calledName(node.callee))) return;
      const proof = testsBeside(tests, path, testsElsewhere[symbol[0]]);
      const parent = ancestors.at(-1);
      const whole = parent?.type === 'AwaitExpression' ? parent : node;
      mutants.push(mutantOf(path, text, whole, symbol, 'undefined', { tests: proof }));
    });
    return mutants;
  });
}

/** The policies, steps, writes and filters of the server. */
export const decisionSources = (sources) => new Map([...sources].filter(([path]) => isDecision(path)));

/** Changes of operators and conditions over them, of which a sample is drawn. */
export const serverOperatorMutants = (sources) =>
  [...decisionSources(sources)].flatMap(([path, text]) => operatorMutants(path, text));
