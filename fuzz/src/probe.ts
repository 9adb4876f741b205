import type { Owner } from './checks/private.ts';
import { parseJson, problemType } from './checks/problem.ts';
import { answerFault, type Fault } from './checks/reply.ts';
import type { NamedCall } from './inputs/http.ts';
import type { ActorName, Input } from './inputs/input.ts';
import { sendFrame } from './realtime.ts';
import { sendHttp } from './send.ts';
import type { FuzzedServer } from './server/process.ts';
import type { Actor } from './world/actors.ts';
import type { World } from './world/world.ts';

/** The result of one input. */
export interface Outcome {
  input: Input;
  refused: boolean;
  /** Type of the error; null for none, or where there was no answer. */
  type: string | null;
  ms: number;
  /** When it was answered, by `performance.now()`. */
  to: number;
  fault: Fault | null;
}

/** Sends inputs as their actors and checks the replies. */
export interface Probe {
  send(input: Input): Promise<Outcome>;
  /** Sends several inputs concurrently; the results are in their order. */
  sendAll(inputs: readonly Input[]): Promise<Outcome[]>;
  actor(name: ActorName): Actor;
  owners: readonly Owner[];
}

const concurrency = 8;

/** The message of the error that the server logged for this reply. */
function loggedCause(server: FuzzedServer, text: string): string {
  const id = /"requestId":"([^"]+)"/.exec(text)?.[1];
  const line = id === undefined ? undefined : server.logLine(id);
  const message = line === undefined ? undefined : /"message":"((?:[^"\\]|\\.){0,200})/.exec(line)?.[1];
  return message === undefined ? '' : ` (logged: ${message})`;
}

export function openProbe(
  server: FuzzedServer,
  calls: readonly NamedCall[],
  { actors, pools }: Pick<World, 'actors' | 'pools'>,
  makeEvent: () => Promise<void>,
): Probe {
  const byName = new Map(calls.map(({ name, call }) => [name, call]));
  const owners = actors.flatMap(({ owner }) => owner ?? []);
  const actor = (name: ActorName): Actor => {
    const match = actors.find((one) => one.name === name);
    if (!match) throw new Error(`The world has no ${name}.`);
    return match;
  };

  const send = async (input: Input): Promise<Outcome> => {
    const by = actor(input.actor);
    if (input.kind === 'frame') {
      const sent = await sendFrame(server.port, input, by, { owners, makeEvent });
      return { input, type: null, to: performance.now(), ...sent };
    }
    const call = byName.get(input.call);
    if (!call) throw new Error(`There is no call ${input.call}.`);
    const { answer, ms, missing } = await sendHttp(server.port, input, by.session);
    const to = performance.now();
    if (answer === null) {
      const fault: Fault | null =
        missing === 'timeout' ? { kind: 'status', detail: 'no answer within 15 s' } : null;
      return { input, refused: true, type: null, ms, to, fault };
    }
    const fault = answerFault(call, answer, { reader: by.session === null ? null : by.owner, owners });
    if (fault?.kind === 'status') fault.detail += loggedCause(server, answer.text);
    const refused = answer.status >= 400;
    if (!refused && answer.text.length < 1_000_000)
      pools.learn(input.call, input.actor, parseJson(answer.text));
    return { input, refused, type: refused ? problemType(answer.text) : null, ms, to, fault };
  };

  return {
    send,
    actor,
    owners,
    sendAll: async (inputs) => {
      const outcomes: Outcome[] = [];
      const rest = [...inputs.entries()].reverse();
      const work = async () => {
        for (let next = rest.pop(); next !== undefined; next = rest.pop())
          outcomes[next[0]] = await send(next[1]);
      };
      await Promise.all(Array.from({ length: concurrency }, work));
      return outcomes;
    },
  };
}
