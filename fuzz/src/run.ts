import { Random } from '@tara/proof/random';
import { safeParse } from 'zod/mini';
import { checkRefusals } from './checks/refusals.ts';
import { findSlowInputs, isSlow, watchServer } from './checks/slow.ts';
import type { Tables } from './checks/tables.ts';
import { openWaits } from './checks/waits.ts';
import { type Finding, openFindings } from './findings.ts';
import type { Attack } from './inputs/attacks.ts';
import { makeFrameInput, subscribeCall } from './inputs/frames.ts';
import { makeHttpInput, type NamedCall } from './inputs/http.ts';
import { bodyBytes, type Input } from './inputs/input.ts';
import { type Outcome, openProbe, type Probe } from './probe.ts';
import { type Listeners, listen } from './realtime.ts';
import type { FuzzedServer } from './server/process.ts';
import { shrink } from './shrink.ts';
import { openTally, type Tally } from './tally.ts';
import { takesSomething } from './values/schema.ts';
import type { World } from './world/world.ts';

export interface FuzzOptions {
  server: FuzzedServer;
  calls: readonly NamedCall[];
  /** Frames of the realtime protocol that are sent as well, of `frameCalls`. */
  frames: readonly string[];
  /** Sent once, before everything else. */
  attacks?: readonly Attack[];
  world: World;
  tables: Tables;
  seed: number;
  /** Inputs of each call and actor in one round. */
  inputsPerCall: number;
  /** Called before each batch. */
  shouldContinue: () => boolean;
}

export interface FuzzResult {
  findings: Finding[];
  tally: Tally;
  rounds: number;
  /** The p99 of another member's requests with nothing else under way, as measured last, ms. */
  quietP99: number;
}

/** Refused inputs between two checks of the tables. */
const batchSize = 200;
/** Subscriptions for each other input: their queries are many. */
const subscribeTimes = 3;
/** Interval in ms at which sessions are renewed, because some calls require a recent password. */
const sessionAgeMs = 8 * 60_000;

/** Calls that end their own session: they run last, so that the other calls still have one. */
const endsSession = (call: string) => /^account\.(delete|update|confirm)/.test(call);

function batches<Item>(items: readonly Item[]): Item[][] {
  const count = Math.ceil(items.length / batchSize);
  return Array.from({ length: count }, (_, index) => items.slice(index * batchSize, (index + 1) * batchSize));
}

/** Whether the contract alone says that the input is refused. */
function isRefusedByContract(input: Input, calls: ReadonlyMap<string, NamedCall>): boolean {
  if (input.kind === 'frame') return false;
  const call = calls.get(input.call)?.call;
  if (call === undefined || input.what.startsWith('path')) return false;
  if (input.closesEarly || (call.access !== 'anyone' && input.actor === 'guest')) return true;
  if (call.access === 'admin' && input.actor !== 'admin') return true;
  if (input.body?.kind !== 'json' || !takesSomething(call.body)) return false;
  try {
    return !safeParse(call.body, JSON.parse(String(bodyBytes(input.body)))).success;
  } catch {
    // No JSON, or deeper than the schema can follow.
    return true;
  }
}

/** Whether the input gets a valid reply when it is sent alone. */
async function isAnsweredAlone(probe: Probe, input: Input): Promise<boolean> {
  for (let time = 0; time < 4; time++) {
    if ((await probe.send(input)).fault === null) return true;
    await new Promise((done) => setTimeout(done, 1_000));
  }
  return false;
}

/** Sends rounds of inputs of every call as every actor, and collects the findings. */
export async function fuzz(options: FuzzOptions): Promise<FuzzResult> {
  const { server, calls, world, tables, seed } = options;
  const random = new Random(seed);
  const findings = openFindings();
  const tally = openTally();
  const waits = openWaits(world.bystander);
  const probe = openProbe(server, calls, world, waits.makeEvent);
  const byName = new Map(calls.map((named) => [named.name, named]));
  const parts = { server, probe, tables, findings, waits };
  let renewedAt = Date.now();

  const makeRound = (): Input[] => {
    const making = { random, hint: world.pools.hint };
    const inputs: Input[] = [];
    for (const { name } of world.actors)
      for (let count = 0; count < options.inputsPerCall; count++) {
        for (const named of calls) inputs.push(makeHttpInput(named, name, making));
        for (const call of options.frames)
          for (let time = 0; time < (call === subscribeCall ? subscribeTimes : 1); time++)
            inputs.push(makeFrameInput(call, name, making));
      }
    return random.shuffle(inputs);
  };

  const renewSessions = async () => {
    const isOld = Date.now() - renewedAt > sessionAgeMs;
    for (const actor of world.actors) {
      if (actor.session === null) continue;
      const answer = await fetch(`http://127.0.0.1:${server.port}/v1/account`, {
        headers: { 'x-appwrite-session': actor.session },
      });
      await answer.body?.cancel();
      if (isOld || answer.status === 401) await actor.renew();
    }
    await world.bystander.renew();
    if (isOld) renewedAt = Date.now();
  };

  /** Reports the fault of a reply with its smallest input. */
  const report = async ({ input, fault }: Outcome) => {
    if (fault === null) return;
    // A blocked server rejects other inputs too: an input that gets a valid reply alone has no fault.
    if (/^no answer|answered 503/.test(fault.detail) && (await isAnsweredAlone(probe, input))) return;
    if (findings.known(fault.kind, input, fault.detail)) return;
    const same = async (candidate: Input) => (await probe.send(candidate)).fault?.kind === fault.kind;
    const smallest = fault.detail.startsWith('no answer') ? input : await shrink(input, same);
    const again = smallest === input ? fault : ((await probe.send(smallest)).fault ?? fault);
    findings.add(fault.kind, { ...smallest, what: input.what }, again.detail);
  };

  const sendBatch = async (inputs: readonly Input[], refused: boolean): Promise<Outcome[]> => {
    const send = () => (refused ? checkRefusals(parts, inputs) : probe.sendAll(inputs));
    const { result: outcomes, seen, polluted } = await watchServer(parts, send);
    for (const outcome of outcomes) {
      tally.count(outcome);
      await report(outcome);
    }
    const [first] = inputs;
    if (first && polluted.length > 0)
      findings.add('pollution', first, `one of ${inputs.length} inputs put ${polluted} on every object`);
    if ((await server.observe('read')) === null) await server.restart();
    if (isSlow(seen, waits)) await findSlowInputs(parts, outcomes, seen);
    if ((await server.observe('read')) === null) await server.restart();
    return outcomes;
  };

  const reportEvents = (listeners: Listeners) => {
    for (const { actor, fault } of listeners.faults()) {
      const input = {
        kind: 'frame',
        call: 'realtime event',
        actor: actor.name,
        what: 'event',
        frame: null,
        binary: false,
        times: 1,
        sockets: 1,
        address: '',
      } as const;
      if (!findings.known(fault.kind, input, fault.detail)) findings.add(fault.kind, input, fault.detail);
    }
  };

  /** Sends inputs whose answers are known. */
  const sendAttacks = async (attacks: readonly Attack[]) => {
    const expected = new Map<Input, Attack['expected']>(attacks.map((one) => [one.input, one.expected]));
    for (const outcome of await sendBatch([...expected.keys()], false)) {
      const { input } = outcome;
      const types: readonly (string | null)[] = expected.get(input) ?? [];
      let { type } = outcome;
      // The reply to a body that is too large can be lost when the server closes before it was sent whole.
      const isLost = () => type === null && !types.includes(null);
      for (let time = 0; time < 5 && (isLost() || type === 'general_unavailable'); time++) {
        // Of a server that is busy.
        if (type === 'general_unavailable') await new Promise((done) => setTimeout(done, 2_000));
        ({ type } = await probe.send(input));
      }
      if (!types.includes(type)) findings.add('type', input, `answered ${type}, not ${types.join(' or ')}`);
    }
  };

  await waits.measureQuiet();
  await sendAttacks(options.attacks ?? []);
  let rounds = 0;
  for (; options.shouldContinue(); rounds++) {
    await renewSessions();
    const listeners = options.frames.length > 0 ? listen(server.port, world.actors, probe.owners) : null;
    const inputs = makeRound();
    const refusals = inputs.filter((input) => isRefusedByContract(input, byName));
    const others = inputs.filter((input) => !refusals.includes(input));
    const [ending, lasting] = [
      others.filter(({ call }) => endsSession(call)),
      others.filter(({ call }) => !endsSession(call)),
    ];
    for (const batch of batches(lasting)) {
      if (!options.shouldContinue()) break;
      for (const { refused, input } of await sendBatch(batch, false)) if (refused) refusals.push(input);
    }
    for (const batch of batches(refusals)) if (options.shouldContinue()) await sendBatch(batch, true);
    if (listeners) {
      reportEvents(listeners);
      listeners.close();
    }
    for (const batch of batches(ending)) if (options.shouldContinue()) await sendBatch(batch, false);
  }
  return { findings: findings.list(), tally, rounds, quietP99: waits.quietP99() };
}
