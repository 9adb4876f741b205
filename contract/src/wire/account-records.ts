import * as z from 'zod/mini';
import { Time } from '../fields.ts';

/** The records of the backend service's account calls, as its wire has them. */

/** The account as the backend service's wire has it, without the password hash. */
export const User = z.object({
  $id: z.string(),
  $createdAt: Time,
  $updatedAt: Time,
  name: z.string(),
  registration: Time,
  status: z.boolean(),
  labels: z.array(z.string()),
  passwordUpdate: z.string(),
  email: z.string(),
  phone: z.string(),
  emailVerification: z.boolean(),
  phoneVerification: z.boolean(),
  prefs: z.record(z.string(), z.unknown()),
  accessedAt: Time,
  mfa: z.boolean(),
  /** There are none. */
  targets: z.array(z.never()),
});
export type User = z.infer<typeof User>;

/** Fields of texts that a record of the backend service's wire always has, by their names. */
const textFields = <Name extends string>(...names: Name[]) =>
  Object.fromEntries(names.map((name) => [name, z.string()])) as Record<Name, z.ZodMiniString<string>>;

/** From where a session or a security event comes. */
const deviceFields = {
  ...textFields('ip', 'osCode', 'osName', 'osVersion', 'clientType', 'clientCode', 'clientName'),
  ...textFields('clientVersion', 'clientEngine', 'clientEngineVersion', 'deviceName', 'deviceBrand'),
  ...textFields('deviceModel', 'countryCode', 'countryName'),
};

export const Session = z.object({
  $id: z.string(),
  $createdAt: Time,
  $updatedAt: Time,
  userId: z.string(),
  expire: Time,
  ...textFields('provider', 'providerUid'),
  ...textFields('providerAccessToken', 'providerAccessTokenExpiry', 'providerRefreshToken'),
  ...deviceFields,
  current: z.boolean(),
  factors: z.array(z.string()),
  secret: z.string(),
  mfaUpdatedAt: z.string(),
});
export type Session = z.infer<typeof Session>;

/** A mailed secret. Only the mail contains it; `secret` is empty in replies. */
export const Token = z.object({
  $id: z.string(),
  $createdAt: Time,
  userId: z.string(),
  secret: z.string(),
  expire: Time,
  phrase: z.string(),
});
export type Token = z.infer<typeof Token>;

/** A security event of the account. */
export const AccountLog = z.object({
  ...textFields('event', 'userId', 'userEmail', 'userName', 'mode', 'userType'),
  time: Time,
  ...deviceFields,
});
export type AccountLog = z.infer<typeof AccountLog>;
