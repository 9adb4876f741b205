import { formatInput, type Input } from './inputs/input.ts';

export type FindingKind =
  | 'status'
  | 'shape'
  | 'leak'
  | 'access'
  | 'headers'
  | 'block'
  | 'wait'
  | 'tables'
  | 'pollution'
  | 'type';

/** A violation, with the smallest input that causes it. */
export interface Finding {
  kind: FindingKind;
  call: string;
  actor: string;
  what: string;
  detail: string;
  /** The input as a curl command. */
  line: string;
  /** How many inputs caused it. */
  count: number;
}

/** The findings of a run, one for each class. */
export interface Findings {
  /** Whether the class of a finding is known; if so, counts it. */
  known(kind: FindingKind, input: Input, detail: string): boolean;
  add(kind: FindingKind, input: Input, detail: string): void;
  list(): Finding[];
}

/** The part of the request that the input changed, such as `body.price`. */
const changedField = ({ what }: Input) => /^[\w.]+(?=:)/.exec(what)?.[0] ?? what.replace(/\d+/g, '#');

/** The class of a finding: invalid error replies by their detail only, all others by call and field. */
function classOf(kind: FindingKind, input: Input, detail: string): string {
  const plain = detail
    .replace(/\(logged.*/s, '')
    .replace(/"requestId":"[^"]*"/, '')
    .replace(/\d+/g, '#');
  if (kind === 'shape' || kind === 'headers') return `${kind} ${plain.slice(0, 60)}`;
  if (kind === 'tables') return `${kind} ${input.call}`;
  if (kind === 'leak' || kind === 'access') return `${kind} ${input.call} ${plain.slice(0, 60)}`;
  if (kind === 'type') return `${kind} ${input.call} ${input.what}`;
  // Subscriptions that are slow are slow in many ways.
  if (kind === 'block' || kind === 'wait')
    return `${kind} ${input.call}${input.kind === 'frame' ? '' : ` ${changedField(input)}`}`;
  return `${kind} ${input.call} ${changedField(input)} ${plain.slice(0, 40)}`;
}

export function openFindings(): Findings {
  const findings = new Map<string, Finding>();
  return {
    known: (kind, input, detail) => {
      const finding = findings.get(classOf(kind, input, detail));
      if (finding) finding.count++;
      return finding !== undefined;
    },
    add: (kind, input, detail) => {
      const { call, actor, what } = input;
      findings.set(classOf(kind, input, detail), {
        kind,
        call,
        actor,
        what,
        detail,
        line: formatInput(input),
        count: 1,
      });
    },
    list: () => [...findings.values()],
  };
}
