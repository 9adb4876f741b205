import * as z from 'zod/mini';
import { calls, get, post } from '../calls.ts';
import { Id, Time } from '../fields.ts';

/** Bytes in base64url without padding, as browsers write them. */
const bytes = (characters: number) =>
  z.string().check(z.regex(new RegExp(`^[A-Za-z0-9_-]{${characters}}$`), 'Must be a key of the browser'));

/** What a browser says of its subscription at its push service. */
export const PushSubscription = z.strictObject({
  /** Where its push service takes messages for it. */
  endpoint: z
    .string()
    .check(z.maxLength(2000), z.regex(/^https:\/\/[\x21-\x7e]+$/, 'Must be an address of a push service')),
  /** Its public key, an uncompressed point of P-256. */
  p256dh: bytes(87),
  /** Its secret of 16 bytes. */
  auth: bytes(22),
});
export type PushSubscription = z.infer<typeof PushSubscription>;

/** A browser that gets the member's notifications. */
export const PushDevice = z.object({
  id: z.string(),
  /** `Chrome`; empty when unknown. */
  clientName: z.string(),
  /** `Android`; empty when unknown. */
  osName: z.string(),
  /** `smartphone`, `tablet`, `desktop` and the like; empty when unknown. */
  deviceName: z.string(),
  /** The one that asks. */
  current: z.boolean(),
  /** Whether its notifications show the text of messages. */
  showsText: z.boolean(),
  createdAt: Time,
  /** When the app last started there. */
  renewedAt: Time,
});
export type PushDevice = z.infer<typeof PushDevice>;

/** What became of a test: `later` when the push service is busy or away; a device that is `gone` was removed. */
export const TestOutcome = z.enum(['accepted', 'gone', 'refused', 'later']);
export type TestOutcome = z.infer<typeof TestOutcome>;

const ById = { deviceId: Id };

/** The browsers of a member that get notifications while the app is closed (Web Push), at most ten. */
export const devices = calls('/api/device', {
  list: get('/list', {
    summary: 'Your browsers that get notifications, newest first, and the key that new ones subscribe with.',
    reply: z.object({
      /** The VAPID public key, in base64url. */
      publicKey: z.string(),
      devices: z.array(PushDevice),
    }),
  }),
  register: post('/register', {
    whileSuspended: true,
    summary: 'Lets this browser get notifications, until its session ends or the password changes.',
    body: PushSubscription,
    reply: PushDevice,
    errors: ['push_service_unknown'],
  }),
  renew: post('/renew', {
    whileSuspended: true,
    summary: 'Says at a start of the app what the subscription of this browser is now.',
    body: PushSubscription,
    reply: z.object({ publicKey: z.string() }),
    errors: ['device_not_found', 'push_service_unknown'],
  }),
  update: post('/update', {
    whileSuspended: true,
    summary: 'Whether notifications of one of your browsers show the text of messages.',
    body: z.strictObject({ ...ById, showsText: z.boolean() }),
    errors: ['device_not_found'],
  }),
  remove: post('/remove', {
    whileSuspended: true,
    summary: 'Ends the notifications of one of your browsers; repeating it changes nothing.',
    body: z.strictObject(ById),
  }),
  test: post('/test', {
    whileSuspended: true,
    summary: 'Sends a test notification to one of your browsers.',
    body: z.strictObject(ById),
    reply: z.object({ outcome: TestOutcome }),
    errors: ['device_not_found'],
  }),
});
