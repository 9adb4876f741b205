import { get } from '@tara/contract/calls';
import { nowDate } from '@tara/contract/clock';
import { ChatId } from '@tara/contract/messages/messages';
import * as z from 'zod';
import { parseJson } from '../../platform/http/json.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import { newId } from '../../platform/ids.ts';
import { closeCode } from '../../platform/realtime/close-codes.ts';
import { wireTime } from '../../platform/wire-time.ts';

/** Call of the wire: the socket, whose messages docs/backend-service.md describes. */
export const connectRealtime = get('/v1/realtime', {
  summary:
    'Upgrades to a WebSocket that announces documents, files and one’s own account. Channels are named in the address, or are subscribed to by messages. A request that wants no upgrade is answered `general_route_not_found`.',
  access: 'anyone',
  query: z.object({
    project: z.optional(z.string()),
    'channels[]': z.optional(z.array(z.string())),
    'queries[]': z.optional(z.array(z.string())),
  }),
  reply: z.unknown(),
  errors: ['general_route_not_found'],
});

/** Subscriptions that the address of a realtime socket asks for. */
export interface Asked {
  /** Every channel named. */
  channels: string[];
  subscriptions: { id: string; channels: string[]; queries: string[] }[];
  /** The ids are slots of the client, which expects them in the reply. */
  slots: boolean;
}

const slotPattern = /^(.+)\[(\d{1,3})\]\[\d*\]$/;

/**
 * Reads the two older generations of addresses: `channels[]=a&channels[]=b`, with `queries[]=<query>` for all of them, and
 * the same with a slot for each subscription, `a[0][]=<query>`. The newest generation names none here and subscribes by message.
 */
export function readAddress(url: string): Asked {
  const parameters = new URL(url, 'ws://tara').searchParams;
  const channels: string[] = [];
  const queries: string[] = [];
  const bySlot = new Map<string, { channels: Set<string>; queries: Set<string> }>();
  for (const [name, value] of parameters) {
    if (/^channels(\[\d*\])?$/.test(name)) channels.push(value);
    if (/^queries(\[\d*\])?$/.test(name)) queries.push(value);
    const [, channel, slot = ''] = slotPattern.exec(name) ?? [];
    if (channel === undefined || channel === 'channels') continue;
    const requested = bySlot.get(slot) ?? { channels: new Set(), queries: new Set() };
    bySlot.set(slot, requested);
    requested.channels.add(channel);
    // Named again with each channel of the slot.
    requested.queries.add(value);
  }
  const slots = [...bySlot].map(([id, one]) => ({
    id,
    channels: [...one.channels],
    queries: [...one.queries],
  }));
  if (slots.length > 0) return { channels, subscriptions: slots, slots: true };
  const subscriptions = channels.length > 0 ? [{ id: '0', channels, queries }] : [];
  return { channels, subscriptions, slots: false };
}

const Id = z.string().regex(/^[\x20-\x7e]{1,64}$/);
/** Some SDKs take the id that the server answers. */
const ChosenId = Id.default(newId);
const Channel = z.string().min(1).max(256);

const Queries = z.array(z.string().max(4096)).max(20).default([]);

/** What a member does now, as the newest SDKs send it. Only `typing` in a chat is passed on. */
const Presence = z.object({
  status: z.string().min(1).max(256),
  presenceId: Id.optional(),
  permissions: z.array(z.string().max(256)).max(100).optional(),
  metadata: z.record(z.string(), z.unknown()).nullish(),
});

/** What a client of the realtime wire may say. */
export const Incoming = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ping') }),
  z.object({
    type: z.literal('authentication'),
    data: z.object({ session: z.string().min(1).max(2048) }),
  }),
  z.object({
    type: z.literal('subscribe'),
    data: z
      .array(z.object({ subscriptionId: ChosenId, channels: z.array(Channel).max(100), queries: Queries }))
      .max(100),
  }),
  z.object({ type: z.literal('presence'), data: Presence }),
  z.object({ type: z.literal('unsubscribe'), data: z.array(z.object({ subscriptionId: Id })).max(100) }),
]);
export type Incoming = z.infer<typeof Incoming>;

/** The chat in which a member says to type; null where they say something else. */
export function typingChatId({ status, metadata }: z.infer<typeof Presence>): string | null {
  if (status !== 'typing') return null;
  return ChatId.safeParse(metadata?.chatId).data ?? null;
}

/** The answer to a presence: it is passed on and not stored. */
export function presentPresence(
  { accountId }: Pick<Viewer, 'accountId'>,
  { status, presenceId = '', metadata }: z.infer<typeof Presence>,
): Record<string, unknown> {
  const now = wireTime(nowDate());
  return {
    $id: presenceId,
    $createdAt: now,
    $updatedAt: now,
    $permissions: [`read("user:${accountId}")`],
    userId: accountId,
    status,
    source: 'realtime',
    expiresAt: now,
    metadata: metadata ?? {},
  };
}

/** Reads one frame; null when it is nothing we know. */
export function readMessage(text: string): Incoming | null {
  try {
    return Incoming.safeParse(parseJson(text)).data ?? null;
  } catch {
    // Not JSON.
    return null;
  }
}

/** Frames that are always the same. */
export const pong = Buffer.from('{"type":"pong"}');

/** An error as the wire sends it; `code` is the one a socket would be closed with. */
export const errorFrame = (code: 1003 | 1008 | 1013, message: string) =>
  Buffer.from(JSON.stringify({ type: 'error', data: { code, message } }));

/** Says that subscriptions were ended; the wire's error, and the ids beside it as in an event. */
export const endedFrame = (subscriptions: readonly string[]) =>
  Buffer.from(
    JSON.stringify({
      type: 'error',
      data: {
        code: closeCode.busy,
        message:
          'Subscriptions were ended: an event is compared with too many of one account or address. Subscribe to fewer, or with fewer values',
        subscriptions,
      },
    }),
  );

export const frame = (type: 'connected' | 'response', data: object) =>
  Buffer.from(JSON.stringify({ type, data }));
