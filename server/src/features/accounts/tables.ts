import type { OAuthProviderName } from '@tara/contract/wire/oauth2';
import { bigint, boolean, customType, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { createdAt, moment, updatedAt } from '../../platform/database/columns.ts';

const bytea = customType<{ data: Buffer }>({ dataType: () => 'bytea' });

export const accounts = pgTable('accounts', {
  id: text('id').primaryKey(),
  email: text('email'),
  phone: text('phone'),
  phoneVerifiedAt: moment('phone_verified_at'),
  name: text('name').notNull().default(''),
  passwordHash: text('password_hash').notNull(),
  passwordUpdatedAt: moment('password_updated_at').notNull().defaultNow(),
  emailVerifiedAt: moment('email_verified_at'),
  labels: text('labels').array().notNull().default([]),
  prefs: jsonb('prefs').$type<Record<string, unknown>>().notNull().default({}),
  blockedAt: moment('blocked_at'),
  deletesAt: moment('deletes_at'),
  deletedAt: moment('deleted_at'),
  suspendedUntil: moment('suspended_until'),
  warning: text('warning'),
  termsVersion: text('terms_version'),
  consentedAt: moment('consented_at'),
  demo: boolean('demo').notNull().default(false),
  accessedAt: moment('accessed_at').notNull().defaultNow(),
  createdAt: createdAt(),
  updatedAt: updatedAt(),
});

export const sessions = pgTable('sessions', {
  id: text('id').primaryKey(),
  accountId: text('account_id').notNull(),
  secretHash: bytea('secret_hash').notNull(),
  provider: text('provider').notNull().default('email'),
  providerUid: text('provider_uid').notNull().default(''),
  ip: text('ip').notNull().default(''),
  userAgent: text('user_agent').notNull().default(''),
  expiresAt: moment('expires_at').notNull(),
  passwordShownAt: moment('password_shown_at').notNull().defaultNow(),
  secondFactorShownAt: moment('second_factor_shown_at'),
  createdAt: createdAt(),
  updatedAt: updatedAt(),
});

export const tokens = pgTable('tokens', {
  id: text('id').primaryKey(),
  accountId: text('account_id').notNull(),
  kind: text('kind', { enum: ['verification', 'recovery', 'oauth2'] }).notNull(),
  email: text('email'),
  identityId: text('identity_id'),
  secretHash: bytea('secret_hash').notNull(),
  expiresAt: moment('expires_at').notNull(),
  createdAt: createdAt(),
});

export const accountEvents = pgTable('account_events', {
  id: text('id').primaryKey(),
  accountId: text('account_id').notNull(),
  event: text('event').notNull(),
  ip: text('ip').notNull().default(''),
  userAgent: text('user_agent').notNull().default(''),
  createdAt: createdAt(),
});

export const challenges = pgTable('challenges', {
  id: text('id').primaryKey(),
  kind: text('kind', { enum: ['magic-url', 'email-code', 'phone', 'phone-verification'] }).notNull(),
  reference: text('reference').notNull(),
  accountId: text('account_id'),
  email: text('email'),
  phone: text('phone'),
  secretHash: bytea('secret_hash').notNull(),
  tries: integer('tries').notNull().default(0),
  expiresAt: moment('expires_at').notNull(),
  createdAt: createdAt(),
});

export const identities = pgTable('identities', {
  id: text('id').primaryKey(),
  accountId: text('account_id').notNull(),
  provider: text('provider').$type<OAuthProviderName>().notNull(),
  issuer: text('issuer').notNull(),
  providerUid: text('provider_uid').notNull(),
  providerEmail: text('provider_email').notNull().default(''),
  createdAt: createdAt(),
  updatedAt: updatedAt(),
});

export const oauthStates = pgTable('oauth_states', {
  stateHash: bytea('state_hash').primaryKey(),
  browserHash: bytea('browser_hash').notNull(),
  provider: text('provider').$type<OAuthProviderName>().notNull(),
  sealed: text('sealed').notNull(),
  result: text('result', { enum: ['session', 'token'] }).notNull(),
  successUrl: text('success_url').notNull(),
  failureUrl: text('failure_url').notNull(),
  expiresAt: moment('expires_at').notNull(),
  createdAt: createdAt(),
});

export const secondFactors = pgTable('second_factors', {
  accountId: text('account_id').primaryKey(),
  secret: text('secret').notNull(),
  lastStep: bigint('last_step', { mode: 'number' }).notNull(),
  createdAt: createdAt(),
});

export const recoveryCodes = pgTable(
  'recovery_codes',
  {
    accountId: text('account_id').notNull(),
    codeHash: bytea('code_hash').notNull(),
    createdAt: createdAt(),
  },
  ({ accountId, codeHash }) => [primaryKey({ columns: [accountId, codeHash] })],
);
