import { createHash } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { Agent, request } from 'node:https';
import { nowDate, nowMs } from '@tara/contract/clock';
import webPush from 'web-push';
import { errorReason } from './log-errors.ts';
import { MemoryCache } from './memory-cache.ts';
import { isPushEndpoint, lookupPublic, PrivateAddressError } from './push-services.ts';
import type { VapidKeys } from './vapid.ts';

/** Where a browser takes messages, and by which keys they are encrypted for it (RFC 8291). */
export interface PushTarget {
  endpoint: string;
  p256dh: string;
  auth: string;
}

/** What a browser shows. The service worker reads it (web/src/service-worker.ts). */
export interface PushMessage {
  title: string;
  /** Below the title. Never the text of a message, unless the device shows texts (`showsText`). */
  text?: string | undefined;
  /** The screen that it opens, from the root: `/chats`. */
  url: string;
  /** A notification replaces the one of the same tag that is still shown. */
  tag?: string | undefined;
  /** A message replaces the one of the same topic that still waits at the push service. It is sent as a hash. */
  topic?: string | undefined;
  /** Tags of notifications that are closed, because what they are about was seen elsewhere. */
  closes?: readonly string[] | undefined;
  /** Whether a phone may wait until it wakes anyway. */
  urgency: 'very-low' | 'low' | 'normal' | 'high';
  /** How long the push service keeps it for a device that is away; a day unless given. */
  lifetimeSeconds?: number | undefined;
}

/** What became of a message. */
export type PushOutcome =
  | { kind: 'accepted' }
  /** The subscription has ended: no message reaches the device any more. */
  | { kind: 'gone' }
  /** The push service is busy or away. `until`: when it wants to be asked again, if it said so. */
  | { kind: 'later'; until: Date | null; reason: string }
  /** Asking again would change nothing. */
  | { kind: 'refused'; reason: string };

/** Sends a message to a device, once. Never rejects for what a push service does. */
export type SendPush = (target: PushTarget, message: PushMessage) => Promise<PushOutcome>;

const longestPauseMs = 24 * 3600_000;
/** Devices of which it is known at most that their push service wants no message before a time. */
const mostPauses = 1_000;
const daySeconds = 24 * 3600;
const maxLifetimeSeconds = 28 * daySeconds;
/** Push services take messages of 4096 bytes, of which the encryption adds some hundred. */
const maxBytes = 3_500;
/** Bytes that are read of an answer. */
const maxAnswerBytes = 4_096;
const maxLength = { title: 100, text: 300, tag: 100, url: 500, closes: 20 };

interface SenderOptions {
  keys: VapidKeys;
  /** Whom push services can write to, as `mailto:admin@example.com`. */
  subject: string;
  /** Hosts of push services beside the known ones. */
  hosts: readonly string[];
  /** What makes the connections; tests have their own. */
  agent?: Agent;
  /** From the first look-up to the answer; five seconds unless given. */
  timeoutMs?: number;
}

const cut = (text: string, length: number) =>
  text.length <= length ? text : `${[...text].slice(0, length - 1).join('')}…`;

/** What the service worker reads, small enough for every push service: what is too long loses its text, then what it closes. */
export function payloadOf({ title, text, url, tag, closes = [] }: PushMessage): string {
  const payload = (textLength: number, closed: readonly string[]) =>
    JSON.stringify({
      title: cut(title, maxLength.title),
      ...(text !== undefined && textLength > 0 && { text: cut(text, textLength) }),
      url: url.length <= maxLength.url ? url : '/',
      ...(tag !== undefined && { tag: tag.slice(0, maxLength.tag) }),
      ...(closed.length > 0 && { closes: closed }),
    });
  const closed = closes.slice(0, maxLength.closes).map((other) => other.slice(0, maxLength.tag));
  for (let length = maxLength.text; length > 0; length = Math.floor(length / 2)) {
    const json = payload(length, closed);
    if (Buffer.byteLength(json) <= maxBytes) return json;
  }
  return payload(0, []);
}

/** A topic as the header can have it, which says nothing of what the message is about. */
const topicOf = (topic: string) => createHash('sha256').update(topic).digest('base64url').slice(0, 32);

/** Reads `Retry-After`: seconds, or a date. */
export function retryTime(header: string | undefined, now = nowMs()): Date | null {
  if (header === undefined) return null;
  const at = /^\d{1,9}$/.test(header) ? now + Number(header) * 1000 : Date.parse(header);
  return Number.isNaN(at) ? null : new Date(Math.min(Math.max(at, now), now + longestPauseMs));
}

/** The first bytes of an answer: the reason of a refusal. */
async function readAnswer(response: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of response) {
    text += String(chunk);
    if (text.length >= maxAnswerBytes) break;
  }
  return text.slice(0, 200).replace(/\s+/g, ' ').trim();
}

function outcomeOf({ statusCode: status = 0, headers }: IncomingMessage, answer: string): PushOutcome {
  if (status >= 200 && status < 300) return { kind: 'accepted' };
  if (status === 404 || status === 410) return { kind: 'gone' };
  const reason = `It answered ${status}${answer && `: ${answer}`}`;
  if (status === 429 || status >= 500)
    return { kind: 'later', until: retryTime(headers['retry-after']), reason };
  return { kind: 'refused', reason };
}

/**
 * The sender of Web Push messages: signed by `keys`, encrypted for each device. Endpoints come from clients, so it connects to
 * push services alone, at public addresses, follows no redirect, and waits five seconds. What a push service wants not before a
 * time is not sent before, whichever message it is: it says so of one device, and a member who overdoes it is not to hold up the
 * pushes of others.
 */
export function openPushSender({
  keys,
  subject,
  hosts,
  agent = new Agent({ keepAlive: true, maxSockets: 8, maxFreeSockets: 2, lookup: lookupPublic() }),
  timeoutMs = 5_000,
}: SenderOptions): SendPush {
  const encrypt = ({ endpoint, p256dh, auth }: PushTarget, message: PushMessage) =>
    webPush.generateRequestDetails({ endpoint, keys: { p256dh, auth } }, payloadOf(message), {
      vapidDetails: { subject, ...keys },
      contentEncoding: 'aes128gcm',
      TTL: Math.min(message.lifetimeSeconds ?? daySeconds, maxLifetimeSeconds),
      urgency: message.urgency,
      ...(message.topic !== undefined && { topic: topicOf(message.topic) }),
    });
  const post = async (endpoint: string, { headers, body }: ReturnType<typeof encrypt>) => {
    const signal = AbortSignal.timeout(timeoutMs);
    const sent = request(endpoint, { method: 'POST', headers, agent, signal });
    // One that comes after the answer is of no interest, and would end the process.
    sent.on('error', () => undefined);
    sent.end(body);
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    return outcomeOf(response, await readAnswer(response));
  };
  const pauses = new MemoryCache<string, Date>({ max: mostPauses });
  return async (target, message) => {
    if (!isPushEndpoint(target.endpoint, hosts))
      return { kind: 'refused', reason: 'It is no address of a push service.' };
    const until = pauses.get(target.endpoint);
    if (until !== undefined && until > nowDate())
      return { kind: 'later', until, reason: 'It wants no message yet.' };
    let encrypted: ReturnType<typeof encrypt>;
    try {
      encrypted = encrypt(target, message);
    } catch (error) {
      return { kind: 'refused', reason: errorReason(error) };
    }
    try {
      const outcome = await post(target.endpoint, encrypted);
      if (outcome.kind === 'later' && outcome.until !== null) pauses.set(target.endpoint, outcome.until);
      return outcome;
    } catch (error) {
      if (error instanceof PrivateAddressError) return { kind: 'refused', reason: error.message };
      return { kind: 'later', until: null, reason: errorReason(error) };
    }
  };
}
