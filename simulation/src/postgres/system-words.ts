/**
 * What reads the system's time in SQL, or draws, in a way that the schema of the simulation cannot replace: keywords, functions but
 * `now()` and `gen_random_uuid()`, these by the name of their schema, and texts that are read as times. `age` of one argument
 * reads the day, and of two it is a subtraction. scripts/rules/time-and-chance.grit has the same for SQL within TypeScript.
 */
export const systemWords = new RegExp(
  [
    /\b(?:current_timestamp|current_date|current_time|localtimestamp|localtime|clock_timestamp|statement_timestamp|transaction_timestamp|timeofday)\b/,
    /(?:\\?'|\x24\w*\x24)\s*(?:now|today|tomorrow|yesterday)(?:\s+[\d:.apm]+)?\s*(?:\\?'|\x24)/,
    /\bpg_catalog\s*\.\s*\\?\x22?(?:now|gen_random_uuid)\b/,
    /\b(?:age|random|random_normal|uuidv4|uuidv7)\\?\x22?\s*\(/,
    /\b(?:array_sample|array_shuffle|gen_random_bytes|setseed|tablesample|uuid_generate_\w+)\b/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'gi',
);

/** Strings and quoted names, which are kept, and comments. */
const quotesAndComments = /('(?:[^']|'')*'|"[^"]*")|--.*|\/\*[\s\S]*?\*\//g;

/** Every such word in SQL that stands in no comment, with the index at which it begins. */
export function findSystemWords(statements: string): { word: string; index: number }[] {
  const text = statements.replace(
    quotesAndComments,
    (part, quoted?: string) => quoted ?? ' '.repeat(part.length),
  );
  return [...text.matchAll(systemWords)].map(({ 0: word, index }) => ({ word, index }));
}
