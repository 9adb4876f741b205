import { timingSafeEqual } from 'node:crypto';
import { deserialize, serialize } from 'node:v8';
import { nowMs } from '@tara/contract/clock';
import { Redis, type RedisOptions } from 'ioredis';
import type { OtherNodes } from '../bus.ts';
import { newId } from '../ids.ts';
import type { Log } from '../log.ts';
import type { ListedNode } from '../nodes/join.ts';
import type { Nodes } from '../nodes/others.ts';
import type { Sealer } from '../seal.ts';
import { StartRefused } from '../start-refused.ts';
import type { RedisAddress } from './address.ts';

/** ms between two beats of a node. */
const beatMs = 1_000;
/** ms without a beat after which a node is cut off: this one by its own, which comes back to it by Redis. */
const silentMs = 3_000;
/** ms without one's own beat after which the connections begin anew: a lost one is not always closed. */
const renewMs = 5_000;
/** ms that a command may take: what it is for then does without. */
const commandTimeoutMs = 250;
/** ms after which Redis forgets what it holds of a node that says nothing. */
export const goneMs = 15_000;
/** ms for which a node that said nothing more may still be serving somewhere, where no list says whether it does. */
const forgottenMs = 600_000;
/** ms by which a message may be old: what is repeated later, when its sender is forgotten, is refused. */
const mostAgeMs = 300_000;
/** ms that a start waits for Redis. */
const startTimeoutMs = 3_000;
/** Bytes of messages that wait for a Redis that does not answer; more are not sent. */
const mostWaitingBytes = 16 * 2 ** 20;

/** The connections of a node to Redis, and the messages between nodes. */
export interface RedisLink extends Nodes, OtherNodes {
  readonly nodeId: string;
  /** Begins every key of this installation. */
  readonly prefix: string;
  /** For commands: each answers, or fails soon. */
  readonly commands: Redis;
  /** Whether commands are answered now. While they are not, none is to be sent: no call waits for one. */
  isAvailable(): boolean;
  /** For `/readyz`. */
  state(): 'running' | 'away';
  /** The other nodes that were heard lately. */
  others(): string[];
  /** Sets what is done when messages of others were lost, or may have been. */
  onMissed(handler: () => void): void;
  /** Sets what is done when a node says nothing more. */
  onGone(handler: () => void): void;
  close(): Promise<void>;
}

/** The key by which nodes sign their messages is that of this purpose. */
const signPurpose = 'messages between nodes';
/** Bytes of a signature. */
const signatureLength = 32;

/** What travels: how many messages the node has published with this one, or, of a beat, until now. */
interface Envelope {
  number: number;
  /** By the sender's clock, epoch ms. */
  sentAt: number;
  topic?: string;
  message?: unknown;
  isLeaving?: boolean;
}

/** Another node, as far as it is known. */
interface OtherNode {
  /** How many messages it had published when it was heard last; null of one that was never heard. */
  number: number | null;
  heardAt: number;
  /** ms since it started, as the database says; 0 where it does not. */
  ageMs: number;
  isGone: boolean;
  /** Whether it said that it leaves. */
  hasLeft: boolean;
  /** Whether it lives no more, as the database says. */
  isOver: boolean;
}

/** Lets failures of commands be noticed, whoever made them. */
function watchFailures(redis: Redis, onFailure: (error: Error) => void): void {
  const send = redis.sendCommand.bind(redis);
  redis.sendCommand = (command, stream) => {
    const sentAt = performance.now();
    const sent = send(command, stream);
    command.promise.catch((error: Error) => {
      // A server that was started again does not know the scripts: the library then sends them.
      if (error.message.startsWith('NOSCRIPT')) return;
      // This process was too busy to read the answer.
      const isOurs = performance.now() - sentAt > 2 * commandTimeoutMs;
      if (error.message === 'Command timed out' && isOurs) return;
      onFailure(error);
    });
    return sent;
  };
}

/** What a person has to change in `REDIS_URL`; null where Redis may only be away. */
function settingProblem(error: Error): string | null {
  const { message } = error;
  if (/WRONGPASS|NOAUTH|invalid password|\bAUTH\b/.test(message))
    return 'has a wrong user or password, or lacks it';
  if (message.includes('NOPERM')) return 'names a user that may not do what Tara needs';
  if (message.includes('DB index')) return 'names a database that the server does not have';
  if (message.includes('READONLY')) return 'leads to a replica, which takes no writes';
  if (message.includes('No such master')) return 'names a master that the sentinels do not know';
  if (error.name === 'ParserError') return 'leads to a server that is not Redis';
  const code = 'code' in error ? String(error.code) : '';
  return /CERT|^ERR_(SSL|TLS)|EPROTO|SIGNATURE|ISSUER/.test(code) ? `cannot be used (${message})` : null;
}

interface LinkOptions {
  address: RedisAddress;
  log: Log;
  /** By the key that all nodes have, which others who can write to Redis have not. */
  sealer: Pick<Sealer, 'sign'>;
  /** Of this node, by which others know it; a new one unless given. */
  nodeId?: string;
  /** The other nodes that live, as the database says: those that cannot reach Redis, too. */
  listNodes?: () => readonly Pick<ListedNode, 'id' | 'ageMs'>[];
}

/**
 * Connects to Redis. When it is away the node starts without it, and uses it as soon as it is there.
 * @throws StartRefused when a person has to change `REDIS_URL`
 */
export async function openRedisLink({
  address,
  log,
  sealer,
  nodeId = newId(),
  listNodes,
}: LinkOptions): Promise<RedisLink> {
  const prefix = `tara:${address.db ?? 0}:`;
  const channel = `${prefix}signed-events`;
  const options: RedisOptions = {
    ...address,
    lazyConnect: true,
    // What every Redis and Valkey speaks, and no command that an older one refuses.
    protocol: 2,
    disableClientInfo: true,
    // Nothing waits for a connection, and nothing is sent twice.
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    autoResubscribe: false,
    connectTimeout: 2_000,
    retryStrategy: (tries) => Math.min(100 * tries, 1_000),
    sentinelRetryStrategy: (tries) => Math.min(100 * tries, 1_000),
    sentinelCommandTimeout: 2_000,
    failoverDetector: true,
  };
  const commands = new Redis({ ...options, commandTimeout: commandTimeoutMs });
  // Nobody waits for what it sends: it may come late.
  const publisher = new Redis(options);
  const subscriber = new Redis(options);
  const connections = [commands, publisher, subscriber];

  const started = Promise.withResolvers<void>();
  let hasStarted = false;
  let lastError: Error | null = null;
  let missed = () => {};
  let gone = () => {};
  let receive: (topic: string, message: unknown) => void = () => {};

  /** Messages published until now; those that could not be sent count, so that others find out. */
  let published = 0;
  let waitingBytes = 0;
  let canCommand = false;
  let subscribedAt: number | null = null;
  let wasSubscribed = false;
  /** When this node's own message came back last. */
  let heardAt = Number.NEGATIVE_INFINITY;
  let renewedAt = performance.now();
  let isLogged = false;
  let isClosing = false;
  const nodes = new Map<string, OtherNode>();

  const hearsItself = () => subscribedAt !== null && performance.now() - heardAt < silentMs;
  const state = () => (canCommand && hearsItself() ? 'running' : 'away');

  const noteState = () => {
    const isAway = state() === 'away';
    if (!isAway) started.resolve();
    if (isAway === isLogged || !hasStarted || isClosing) return;
    isLogged = isAway;
    if (isAway) log.warn({ err: lastError }, 'Redis is away: nodes share nothing until it is back');
    else log.info('Redis is back');
  };

  const fail = (error: Error) => {
    lastError = error;
    const problem = hasStarted ? null : settingProblem(error);
    if (problem !== null) started.reject(new StartRefused(`REDIS_URL ${problem}.`, { cause: error }));
  };
  for (const redis of connections) redis.on('error', fail);
  const renew = () => {
    for (const redis of connections)
      if (redis.status === 'ready' || redis.status === 'connect') redis.disconnect(true);
  };
  watchFailures(commands, (error) => {
    fail(error);
    canCommand = false;
    // It was the master until now.
    if (error.message.startsWith('READONLY')) renew();
  });

  /** A message with its sender, whose signature is of both and of the channel. */
  const sign = (from: Buffer, body: Uint8Array) =>
    sealer.sign(signPurpose, Buffer.concat([Buffer.from(channel), from, body]));
  const send = (envelope: Omit<Envelope, 'sentAt'>) => {
    let frame: Buffer;
    try {
      const [from, body] = [Buffer.from(nodeId), serialize({ ...envelope, sentAt: nowMs() })];
      frame = Buffer.concat([from, sign(from, body), body]);
    } catch (error) {
      log.error({ err: error, topic: envelope.topic }, 'a message cannot be sent to other nodes');
      return;
    }
    if (publisher.status !== 'ready' || waitingBytes + frame.length > mostWaitingBytes) return;
    waitingBytes += frame.length;
    publisher
      .publish(channel, frame)
      .catch(() => {})
      .finally(() => {
        waitingBytes -= frame.length;
      });
  };

  /** Notes what a node said; false for a message that came before. */
  const note = (from: string, { number, topic, isLeaving }: Envelope): boolean => {
    const now = performance.now();
    const own = topic === undefined ? 0 : 1;
    const known = nodes.get(from);
    const last = known?.number ?? null;
    if (last !== null && own === 1 && number <= last) return false;
    const isNew = subscribedAt !== null && now - subscribedAt < silentMs;
    // Of a node that was there before this one nothing was missed.
    const before = last ?? (isNew ? number - own : 0);
    const hasLeft = isLeaving === true || known?.hasLeft === true;
    const ageMs = known?.ageMs ?? 0;
    const heard = { number: Math.max(number, before), heardAt: now, ageMs, hasLeft };
    nodes.set(from, { ...heard, isGone: false, isOver: false });
    if (number > before + own) missed();
    return true;
  };

  const refused = new Set<string>();
  const refuse = (text: string) => {
    // Once: whoever writes there decides how often.
    if (!refused.has(text)) log.error(text);
    refused.add(text);
  };

  subscriber.on('messageBuffer', (_channel: Buffer, frame: Buffer) => {
    const sender = frame.subarray(0, nodeId.length);
    const signature = frame.subarray(nodeId.length, nodeId.length + signatureLength);
    const body = frame.subarray(nodeId.length + signatureLength);
    // First of all: nothing of what others wrote is read.
    if (signature.length !== signatureLength || !timingSafeEqual(signature, sign(sender, body)))
      return refuse('a message on Redis that no node signed is left out: somebody else writes there');
    const from = sender.toString('latin1');
    if (from === nodeId) {
      heardAt = performance.now();
      noteState();
      return;
    }
    try {
      const envelope: Envelope = deserialize(body);
      if (Math.abs(nowMs() - envelope.sentAt) > mostAgeMs)
        return refuse('a message of another node is minutes old, and is left out: their clocks differ');
      if (note(from, envelope) && envelope.topic !== undefined) receive(envelope.topic, envelope.message);
    } catch (error) {
      log.warn({ err: error }, 'a message of another node cannot be read');
      missed();
    }
  });
  subscriber.on('close', () => {
    subscribedAt = null;
    noteState();
  });
  subscriber.on('ready', () => {
    subscriber.subscribe(channel).then(
      () => {
        // Of what was said before the first time nothing was missed, unless this node serves already.
        const isFirst = !wasSubscribed && !hasStarted;
        subscribedAt = isFirst ? performance.now() : Number.NEGATIVE_INFINITY;
        if (!isFirst) missed();
        wasSubscribed = true;
        void beat();
      },
      (error: Error) => fail(error),
    );
  });

  commands.on('ready', () => void beat());
  commands.on('close', () => {
    canCommand = false;
    noteState();
  });

  /** Begins those anew that the library gave up: it does when the sentinels name another master while it is connecting. */
  const revive = () => {
    for (const redis of connections) if (redis.status === 'end') redis.connect().catch(() => {});
  };

  /** Looks which nodes there are. One that ends without having said how far it came may have published what nobody heard. */
  const lookAround = () => {
    const now = performance.now();
    const listed = listNodes && new Map(listNodes().map(({ id, ageMs }) => [id, ageMs]));
    for (const [id, ageMs] of listed ?? []) {
      const unheard = { number: null, heardAt: now - silentMs, isGone: false, hasLeft: false };
      nodes.set(id, { ...(nodes.get(id) ?? unheard), ageMs, isOver: false });
    }
    for (const [id, node] of nodes) {
      const silentForMs = now - node.heardAt;
      const isSilent = silentForMs > silentMs;
      const isListed = listed?.has(id) === true;
      // Also of those that left it is known for so long how far they were: what they said is not repeated.
      if (!isListed && silentForMs > forgottenMs) nodes.delete(id);
      if (node.hasLeft || node.isOver) continue;
      if (listed ? isSilent && !isListed : silentForMs > forgottenMs) {
        node.isOver = true;
        // One that could not start served nobody.
        if (node.number !== null || node.ageMs > goneMs) missed();
      } else if (silentForMs > goneMs && !node.isGone) {
        node.isGone = true;
        gone();
      }
    }
  };

  async function beat(): Promise<void> {
    if (!isClosing) revive();
    send({ number: published });
    lookAround();
    const now = performance.now();
    canCommand = await commands.set(`${prefix}node:${nodeId}`, '1', 'PX', goneMs).then(
      () => true,
      () => false,
    );
    if (!hearsItself() && now - Math.max(heardAt, renewedAt) > renewMs) {
      renewedAt = now;
      renew();
    }
    noteState();
  }

  const close = async () => {
    isClosing = true;
    clearInterval(beating);
    send({ number: published, isLeaving: true });
    await commands.del(`${prefix}node:${nodeId}`).catch(() => {});
    for (const redis of connections) redis.disconnect();
  };

  const beating = setInterval(() => void beat(), beatMs).unref();
  for (const redis of connections) redis.connect().catch(() => {});
  const timer = setTimeout(started.resolve, startTimeoutMs);
  try {
    await started.promise;
  } catch (error) {
    await close();
    throw error;
  } finally {
    clearTimeout(timer);
  }
  hasStarted = true;
  noteState();

  return {
    ...{ nodeId, prefix, commands, state, close },
    areMany: true,
    hearsAll: () => {
      const now = performance.now();
      return (
        hearsItself() &&
        [...nodes.values()].every((node) => node.hasLeft || node.isOver || now - node.heardAt < silentMs)
      );
    },
    isAvailable: () => canCommand,
    others: () =>
      [...nodes].flatMap(([id, { isGone, hasLeft, isOver }]) => (isGone || hasLeft || isOver ? [] : [id])),
    send(topic, message) {
      published++;
      send({ number: published, topic, message });
    },
    receive(handler) {
      receive = handler;
    },
    onMissed(handler) {
      missed = handler;
    },
    onGone(handler) {
      gone = handler;
    },
  };
}
