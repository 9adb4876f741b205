// Which rows of the specification need a mutant: those about a text, a number, a default, a permission or a rule.

/** What people wrote about a row, and the values of its path, are no part of the fact. */
const factOf = (text) =>
  text.replace(/\((?:Departure|[^()]*decision \d)[^)]*\)/g, '').replace(/\{[^}]*\}/g, '');

const units = 'characters|chars|px|%|s|ms|MB|MiB|bytes|times|days|minutes?|seconds|hours|per page';
const kinds = {
  text: /‘[^’]*[a-z][^’]*’/i,
  number: new RegExp(
    `\\b\\d+ ?(?:${units})\\b|\\b\\d+ [a-z]{3}|\\d+-\\d+|\\b(?:up to|at most|at least|max|minimum|starts at|amount|quality|stars?|feed|plan) \\d`,
  ),
  default: /\bdefaults?\b|\bstarts\b/i,
  permission:
    /\bonly\b|\bcannot\b|\bowner sees\b|\bothers see\b|\bnot allowed\b|\bredirected\b|\bis sent to\b|\bviewing\b/i,
  rule: /\bmust\b|\brequire[sd]?\b|\bonce\b|\bignored?\b|\bhidden\b|\bdisabled\b|\bblocked\b|\brefused\b|\bnever\b|\bneeds?\b|\bfalls back\b|\breplaces?\b|\bstops\b|\bresets?\b|\bif the user\b|\bgo(?:es)? (?:to|back)\b|\bremoved\b|\bdeleted\b|\bbuilt from\b|\bbelow\b|\bin both orders\b/i,
  amount: /[+]\d|\btimes \d+\b/,
};

/** What a text quotes says nothing about the row beside it. */
const unquoted = (text) => text.replace(/‘[^’]*’/g, '‘’');

const wordKinds = (text) =>
  Object.keys(kinds).filter((kind) =>
    kinds[kind].test(kind === 'text' ? factOf(text) : unquoted(factOf(text))),
  );

/** The sections, and the beginnings of ids, of which every row states such a fact. */
const sections = {
  '§4': 'rule',
  '§5': 'rule',
  '§6': 'permission',
  '§7-accept': 'rule',
  '§7-provider': 'rule',
  '§8': 'text',
  '§9': 'limit',
};
const sectionKinds = (id) =>
  Object.keys(sections)
    .filter((beginning) => id.startsWith(beginning))
    .map((beginning) => sections[beginning]);
/** The kinds of facts that a row states, of those that need a mutant. */
export const kindsOf = (id, text) => [...new Set([...sectionKinds(id), ...wordKinds(text)])];

const lengths = ['password', 'name', 'username', 'caption', 'location', 'bio', 'address'];
const planLengths = ['plan-title', 'plan-desc', 'plan-terms'];
/** Rows whose fact is another row's too, which has its mutants; the same test names both. */
export const sameFacts = {
  ...Object.fromEntries(
    [...lengths, ...planLengths].map((name) => [`§9-${name}-length`, `§5-${name}-length`]),
  ),
  '§7-files-create': '§9-upload-chunk',
  '§9-upload-types': '§5-image-types',
  '§9-compression-target': '§5-compression',
  '§9-forbidden-redirect': '§5-receipt-redirect',
  '§9-toast-account-created': '§8-account-created-stays',
  '§9-birth-dates': '§5-birth-date',
  '§9-birth-date-default': '§5-birth-date-default',
  '§4-session-redirected': '§2-guard-guests',
  '§4-search': '§2-search-replaces',
  '§9-start-total-likes': '§3-post-likes',
  '§9-start-total-plan': '§3-user-profile-total-plan',
  '§9-start-total-interaction': '§3-user-profile-total-interaction',
  '§8-verification-decision-leaves': '§4-verification-leaves',
};

/** Rows that have no mutant, with the reason. */
export const rowsLeftOut = {
  '§9-page-sizes': 'each size is a row of §7',
};

/**
 * The rows that need a mutant and have none: `id (kinds)`. One that changes a text that a row quotes tries its text, and nothing
 * else that the row says.
 */
export function rowsWithoutMutant(rows, mutants) {
  const rowsOf = (some) => new Set(some.map(({ row }) => row));
  const tried = rowsOf(mutants);
  const triedByFacts = rowsOf(mutants.filter(({ kind }) => kind !== 'texts'));
  return Object.entries(rows)
    .filter(([id]) => !Object.hasOwn(rowsLeftOut, id))
    .map(([id, text]) => {
      const isTried = (kind) => (kind === 'text' ? tried : triedByFacts).has(sameFacts[id] ?? id);
      return { id, reasons: kindsOf(id, text).filter((kind) => !isTried(kind)) };
    })
    .filter(({ reasons }) => reasons.length > 0)
    .map(({ id, reasons }) => `${id} (${reasons.join(', ')})`);
}
