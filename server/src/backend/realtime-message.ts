import * as z from 'zod';
import { parseJson } from '../platform/http/json.ts';

const Id = z.string().regex(/^[\x20-\x7e]{1,64}$/);
const Channel = z.string().min(1).max(256);

/** A filter would have to be obeyed; only 'everything' is. */
const Queries = z
  .array(z.string().max(4096))
  .max(20)
  .refine((queries) => queries.every((query) => /^\{"method":"select"/.test(query)))
  .optional();

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
      .array(z.object({ subscriptionId: Id, channels: z.array(Channel).max(100), queries: Queries }))
      .max(100),
  }),
  z.object({ type: z.literal('unsubscribe'), data: z.array(z.object({ subscriptionId: Id })).max(100) }),
]);
export type Incoming = z.infer<typeof Incoming>;

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

/** An error as the wire tells it; `code` is the one a socket would be closed with. */
export const errorFrame = (code: 1003 | 1008 | 1013, message: string) =>
  Buffer.from(JSON.stringify({ type: 'error', data: { code, message } }));

export const frame = (type: 'connected' | 'response', data: object) =>
  Buffer.from(JSON.stringify({ type, data }));
