import { parseArgs } from 'node:util';

/** An option of a program. */
export interface Option<Value> {
  /** What stands behind it in the usage; null for one without a value. */
  placeholder: string | null;
  /** Its value where it is not given. */
  absent(): Value;
  /** @throws Error when the text is no value of it */
  read(text: string): Value;
}

type Options = Record<string, Option<unknown>>;
type Values<Given extends Options> = { [Name in keyof Given]: ReturnType<Given[Name]['read']> };

const numberOption = (
  absent: () => number,
  what: string,
  isValid: (value: number) => boolean,
): Option<number> => ({
  placeholder: 'N',
  absent,
  read: (text) => {
    const value = Number(text);
    if (text.trim() === '' || !isValid(value)) throw new Error(`takes ${what}, and not '${text}'`);
    return value;
  },
});

const isWhole = (value: number) => Number.isSafeInteger(value) && value >= 0;

/** A whole number. */
export const count = (absent: number) => numberOption(() => absent, 'a whole number', isWhole);

/** A whole number of what there has to be one of. */
export const countFromOne = (absent: number) =>
  numberOption(
    () => absent,
    'a whole number above 0',
    (value) => isWhole(value) && value > 0,
  );

/** Minutes, also parts of one. */
export const minutes = (absent: number) =>
  numberOption(
    () => absent,
    'a number above 0',
    (value) => Number.isFinite(value) && value > 0,
  );

/** What a run draws by: another for each run unless it is given. */
export const seed = () => numberOption(() => Date.now() % 2 ** 31, 'a whole number', isWhole);

/** A regular expression; without one everything matches, and it is null. */
export const pattern = (): Option<RegExp | null> => ({
  placeholder: 'PATTERN',
  absent: () => null,
  read: (text) => new RegExp(text),
});

/** A text; null without. */
export const text = (placeholder: string): Option<string | null> => ({
  placeholder,
  absent: () => null,
  read: (value) => value,
});

export const flag = (): Option<boolean> => ({ placeholder: null, absent: () => false, read: () => true });

const usage = (command: string, options: Options) =>
  [
    `${command}${Object.keys(options).length > 0 ? ' --' : ''}`,
    ...Object.entries(options).map(
      ([name, { placeholder }]) => `[--${name}${placeholder === null ? '' : ` ${placeholder}`}]`,
    ),
  ].join(' ');

/** Reads the options of a program. @throws Error that names the wrong one */
export function parseOptions<Given extends Options>(options: Given, args: readonly string[]): Values<Given> {
  const { values } = parseArgs({
    args: [...args],
    options: Object.fromEntries(
      Object.entries(options).map(([name, { placeholder }]) => [
        name,
        { type: placeholder === null ? 'boolean' : 'string' },
      ]),
    ),
  });
  const read = Object.entries(options).map(([name, option]) => {
    const value = values[name];
    if (value === undefined) return [name, option.absent()];
    try {
      return [name, option.read(String(value))];
    } catch (error) {
      throw new Error(`--${name} ${error instanceof Error ? error.message : error}`);
    }
  });
  // Each value is of its own option.
  return Object.fromEntries(read) as Values<Given>;
}

/** The command that repeats a run, with every option that it had. */
const repeatCommand = (command: string, values: object) =>
  [
    `${command} --`,
    ...Object.entries(values)
      .filter(([, value]) => value !== null && value !== false)
      .map(([name, value]) =>
        value === true ? `--${name}` : `--${name} ${value instanceof RegExp ? value.source : value}`,
      ),
  ].join(' ');

/**
 * The options of this process's program, by what it is called with. A run with a seed prints what repeats it. Wrong ones end
 * the process with exit code 2 and the usage.
 */
export function readOptions<Given extends Options>(
  command: string,
  options: Given,
  args: readonly string[] = process.argv.slice(2),
): Values<Given> {
  try {
    const values = parseOptions(options, args);
    if ('seed' in values) console.log(repeatCommand(command, values));
    return values;
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n${usage(command, options)}`);
    process.exit(2);
  }
}
