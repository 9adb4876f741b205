import type { Random } from '@tara/proof/random';
import { showJson, smaller, type Value, writeJson } from '../values/value.ts';

/**
 * The sender: nobody, the creator of the plans, a member without a part in anything, a client of the plans, an admin.
 */
export const actorNames = ['guest', 'member', 'other', 'party', 'admin'] as const;
export type ActorName = (typeof actorNames)[number];

interface JsonBody {
  kind: 'json';
  value: Value;
  /** Only so many characters of the text are sent, as the whole. */
  cutAt?: number;
}

interface BytesBody {
  kind: 'bytes';
  bytes: Buffer;
  /** How the bytes are shown in a finding. */
  note: string;
}

/** One HTTP request. */
export interface HttpInput {
  kind: 'http';
  /** Name of the call, such as `posts.create`. */
  call: string;
  actor: ActorName;
  /** What is unusual about it; `valid` when nothing is. */
  what: string;
  method: string;
  /** The request's target before the `?`, as it is sent. */
  path: string;
  /** Already encoded. */
  query: ReadonlyArray<readonly [string, string]>;
  headers: Readonly<Record<string, string>>;
  body: JsonBody | BytesBody | null;
  /** The connection ends in the middle of the body. */
  closesEarly?: boolean;
}

/** One message of a realtime socket, or the address of one (`frame` null). */
export interface FrameInput {
  kind: 'frame';
  call: string;
  actor: ActorName;
  what: string;
  frame: Value | null;
  binary: boolean;
  /** How often the frame is sent on the same socket. */
  times: number;
  /** How many sockets are opened, each of which sends the frame. */
  sockets: number;
  /** Query of the socket's address, as it is sent. */
  address: string;
}

export type Input = HttpInput | FrameInput;

/** Returns a value that a valid input needs, such as an existing id; undefined when any value of the schema is valid. */
export type Hint = (call: string, field: string, actor: ActorName, random: Random) => Value | undefined;

export function bodyBytes(body: HttpInput['body']): Buffer | null {
  if (body === null) return null;
  if (body.kind === 'bytes') return body.bytes;
  const text = writeJson(body.value);
  return Buffer.from(body.cutAt === undefined ? text : text.slice(0, body.cutAt));
}

/** The target as it is sent. */
export const requestTarget = ({ path, query }: HttpInput) =>
  path + (query.length > 0 ? `?${query.map(([name, value]) => `${name}=${value}`).join('&')}` : '');

/** Inputs that differ by one step towards the ordinary, the boldest first. */
export function smallerInputs(input: Input): Input[] {
  if (input.kind === 'frame') {
    const fewer = [1, input.sockets >> 2, input.sockets >> 1].filter(
      (count) => count > 0 && count < input.sockets,
    );
    return [
      ...fewer.map((sockets) => ({ ...input, sockets })),
      ...(input.times > 1 ? [{ ...input, times: 1 }] : []),
      ...(input.frame === null ? [] : smaller(input.frame)).map((frame) => ({ ...input, frame })),
    ];
  }
  const { body } = input;
  return [
    ...input.query.map((entry) => ({ ...input, query: input.query.filter((other) => other !== entry) })),
    ...Object.keys(input.headers).flatMap((name) =>
      name === 'content-type'
        ? []
        : [
            {
              ...input,
              headers: Object.fromEntries(Object.entries(input.headers).filter(([key]) => key !== name)),
            },
          ],
    ),
    ...(body?.kind === 'json' && body.cutAt === undefined
      ? smaller(body.value).map((value) => ({ ...input, body: { ...body, value } }))
      : []),
  ];
}

const shortened = (text: string, length: number) =>
  text.length <= length ? text : `${text.slice(0, length)}… (${text.length} characters)`;
const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

/** A line like curl's that says what was sent. `<member>` stands for the session of that actor. */
export function formatInput(input: Input): string {
  if (input.kind === 'frame') {
    const { actor, address, frame, binary, times, sockets } = input;
    const sent =
      frame === null ? '' : ` ${binary ? '--binary ' : ''}${quoted(shortened(showJson(frame), 2_000))}`;
    return `websocket /v1/realtime${shortened(address, 500)} as <${actor}>${sent}${times > 1 ? ` (${times} times)` : ''}${sockets > 1 ? ` (on ${sockets} sockets)` : ''}`;
  }
  const headers = Object.entries(input.headers).map(
    ([name, value]) => ` -H ${quoted(`${name}: ${shortened(value, 200)}`)}`,
  );
  const session = input.actor === 'guest' ? '' : ` -H 'x-appwrite-session: <${input.actor}>'`;
  const { body } = input;
  let data = '';
  if (body?.kind === 'bytes') data = ` --data-binary ${quoted(shortened(body.note, 500))}`;
  else if (body !== null) {
    const text = shortened(showJson(body.value), 2_000);
    const cut = body.cutAt === undefined ? '' : `.slice(0,${body.cutAt})`;
    data =
      text.includes('${') || cut !== ''
        ? ` --data-binary "$(node -p ${quoted(`\`${text}\`${cut}`)})"`
        : ` --data-binary ${quoted(text)}`;
  }
  return `curl --path-as-is -X ${input.method} ${quoted(shortened(requestTarget(input), 500))}${session}${headers.join('')}${data}${input.closesEarly ? ' (connection ended within the body)' : ''}`;
}
