/** Levels of objects and lists in JSON that clients send. */
export const mostLevels = 32;
/** Values in one JSON text: objects, lists, texts, numbers, `true`, `false` and `null`; names of fields do not count. */
export const mostValues = 10_000;

const tooDeep = `Must not be nested deeper than ${mostLevels} levels.`;
const tooMany = `Must not hold more than ${mostValues.toLocaleString('en')} values.`;

/** Index of the quote that ends the text which begins at `start`; the length or more when none does. */
function textEnd(json: string, start: number): number {
  let index = start + 1;
  for (; index < json.length && json[index] !== '"'; index++) if (json[index] === '\\') index++;
  return index;
}

/**
 * The rule of size that a JSON text breaks, or null. It reads each character once and builds nothing, so that a text
 * is refused before anything walks its values. A text that is not JSON passes here; the parser refuses it.
 */
export function jsonProblem(json: string): string | null {
  let levels = 0;
  // The whole is a value; each comma begins one more, and so does the first one in an object or list.
  let values = 1;
  let justOpened = false;
  for (let index = 0; index < json.length; index++) {
    const character = json[index];
    if (character === ' ' || character === '\n' || character === '\r' || character === '\t') continue;
    if (character === ']' || character === '}') {
      levels--;
      justOpened = false;
      continue;
    }
    if ((character === ',' || justOpened) && ++values > mostValues) return tooMany;
    justOpened = character === '[' || character === '{';
    if (justOpened && ++levels > mostLevels) return tooDeep;
    if (character === '"') index = textEnd(json, index);
  }
  return null;
}

/** Reads JSON of a client. @throws SyntaxError when it is invalid, is nested too deep, or holds too many values */
export function parseJson(json: string, reviver?: (key: string, value: unknown) => unknown): unknown {
  const rule = jsonProblem(json);
  if (rule !== null) throw new SyntaxError(rule);
  return JSON.parse(json, reviver);
}

/** Whether a text is JSON. */
export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
