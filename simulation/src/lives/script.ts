/** Something that happens in a life, by its name. */
export interface AnyDeed {
  do: string;
}

/** Something is changed past the product, by a statement of SQL. Never drawn: a test of the checks. */
export interface Tamper {
  do: 'tamper';
  statement: string;
}

export const isTamper = (deed: AnyDeed): deed is Tamper => deed.do === 'tamper';

/** A deed, and how much happens before the next one begins: so many steps, or everything. */
export interface Act<Deed extends AnyDeed = AnyDeed> {
  deed: Deed;
  steps: number | null;
}

/** What a life is made of: what the seed says of the product, and what happens. */
export interface Script<Deed extends AnyDeed = AnyDeed> {
  environment: Record<string, string>;
  /** Whether people are told what happens, by mail, push and lines of Tara. Nothing else follows from it. */
  tells: boolean;
  acts: Act<Deed>[];
}

export const secondMs = 1000;
export const minuteMs = 60 * secondMs;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

/** What a seed says beside the acts, as the history of a failure shows it. */
export const describeSettings = ({ acts: _, environment, ...rest }: Script): string[] =>
  Object.entries({ ...environment, ...rest }).map(
    ([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );

/** An act as the history of a failure shows it. */
export function describeAct({ deed, steps }: Act): string {
  const { do: name, ...args } = deed;
  const details = Object.entries(args).map(([key, value]) =>
    key === 'ms' || key === 'delayMs' ? describeTime(Number(value)) : `${key} ${value}`,
  );
  return `${name} ${details.join(', ')}${steps === null ? '' : ` (then ${steps} steps)`}`.trim();
}

function describeTime(ms: number): string {
  for (const [unit, name] of [
    [dayMs, 'days'],
    [hourMs, 'hours'],
    [minuteMs, 'minutes'],
  ] as const)
    if (ms >= unit) return `${ms / unit} ${name}`;
  return `${ms / secondMs} seconds`;
}
