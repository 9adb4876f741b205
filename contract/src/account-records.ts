import * as z from 'zod/mini';
import { Time } from './fields.ts';

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
  targets: z.array(z.unknown()),
});
export type User = z.infer<typeof User>;

/** From where a session or a security event comes. */
const deviceFields = {
  ip: z.string(),
  osCode: z.string(),
  osName: z.string(),
  osVersion: z.string(),
  clientType: z.string(),
  clientCode: z.string(),
  clientName: z.string(),
  clientVersion: z.string(),
  clientEngine: z.string(),
  clientEngineVersion: z.string(),
  deviceName: z.string(),
  deviceBrand: z.string(),
  deviceModel: z.string(),
  countryCode: z.string(),
  countryName: z.string(),
};

export const Session = z.object({
  $id: z.string(),
  $createdAt: Time,
  $updatedAt: Time,
  userId: z.string(),
  expire: Time,
  provider: z.string(),
  providerUid: z.string(),
  providerAccessToken: z.string(),
  providerAccessTokenExpiry: z.string(),
  providerRefreshToken: z.string(),
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
  event: z.string(),
  userId: z.string(),
  userEmail: z.string(),
  userName: z.string(),
  mode: z.string(),
  userType: z.string(),
  time: Time,
  ...deviceFields,
});
export type AccountLog = z.infer<typeof AccountLog>;
