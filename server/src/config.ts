import { join, resolve } from 'node:path';
import type { PaymentMethod } from '@tara/contract/money/payment-methods';
import type { z } from 'zod';
import { missingOAuthKeys, type OAuthConfig, oauthConfig } from './config-oauth.ts';
import { Environment } from './config-variables.ts';
import { completeUrl, DatabaseAddressError } from './platform/database/address.ts';
import type { PoolSizes } from './platform/database/connect.ts';
import type { S3Settings } from './platform/files/s3.ts';
import { type RedisAddress, RedisAddressError, readRedisUrl } from './platform/redis/address.ts';
import { refusedExitCode, StartRefused } from './platform/start-refused.ts';

const repositoryRoot = resolve(import.meta.dirname, '../..');

/** A value of the environment that breaks its rule; `message` names the variable and the rule, never a secret. */
export class ConfigError extends StartRefused {
  override readonly name = 'ConfigError';
}

/** What the server runs by; made once at start by `readConfig`. */
export interface Config {
  readonly port: number;
  readonly host: string;
  /** `web` does no jobs, `worker` serves only its health. */
  readonly role: 'web' | 'worker' | 'all';
  /** From the signal to stop until no connection is taken any more. */
  readonly drainDelayMs: number;
  /** From then to the end of the process. */
  readonly drainMs: number;
  /** Absolute path. */
  readonly dataDir: string;
  /** Undefined means the embedded database in `dataDir`. */
  readonly databaseUrl: string | undefined;
  /** Most connections of each class of work. */
  readonly databaseConnections: PoolSizes;
  /** Undefined keeps what nodes would share in the memory of this one. */
  readonly redis: RedisAddress | undefined;
  /** Undefined means the folder of the files in `dataDir`. */
  readonly s3: S3Settings | undefined;
  /** Calls that add content are refused while less is free. */
  readonly diskReserveBytes: number;
  /** Without a slash at its end. */
  readonly publicUrl: string;
  /** Origins beside `publicUrl`'s own. */
  readonly allowedOrigins: readonly string[];
  /** How many proxies in front of the server to believe; 0 is none. */
  readonly trustProxy: number;
  /** Undefined means the mailbox page. */
  readonly smtpUrl: string | undefined;
  readonly mailFrom: string;
  /** Undefined means the sandbox. */
  readonly payMongo:
    | { readonly secretKey: string; readonly webhookSecret: string | undefined; readonly baseUrl: string }
    | undefined;
  /** The API that makes payment links, of the provider and of the sandbox. */
  readonly payMongoLinks: 'classic' | 'payment_links';
  /** 32 bytes each; the first one encrypts, the others open what is older. */
  readonly documentsKey: readonly Buffer[] | undefined;
  /** Seals what leaves the process; undefined makes one in `dataDir`. */
  readonly serverKey: Buffer | undefined;
  /** Signs Web Push messages; undefined makes one in `dataDir`. */
  readonly vapidPrivateKey: Buffer | undefined;
  /** Of push services beside those that are known; `*.` stands for any name below. */
  readonly pushHosts: readonly string[];
  /** Until a conversation expires. */
  readonly conversationDays: number;
  /** Until an unpaid request expires. */
  readonly unpaidDays: number;
  /** Minutes after which an urgent notification is mailed that was not seen. */
  readonly notificationMailMinutes: number;
  readonly platformFeeBasisPoints: number;
  readonly chargebackFeeCentavos: number;
  /** What one payout carries at most, and so the highest price of a plan. */
  readonly payoutLimitCentavos: number;
  /** What the provider's checkout offers. */
  readonly paymentMethods: readonly PaymentMethod[];
  /** Who sends payouts: the provider, or an admin by hand. */
  readonly payouts: 'provider' | 'manual';
  /** Where members may sign in beside Tara itself. */
  readonly oauth: OAuthConfig;
  /** Whether such a sign-in may end in an app of a phone. */
  readonly mobileSignIn: boolean;
  readonly logLevel: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent';
  /** Whether `/docs/` is there. */
  readonly apiReference: boolean;
  readonly rateLimits: boolean;
  readonly projectId: string;
  readonly databaseId: string;
  readonly production: boolean;
  /** `--empty` or production: start without the demo world. */
  readonly empty: boolean;
}

function readDatabaseUrl(value: z.output<typeof Environment>): string | undefined {
  const { DATABASE_URL: url, DATABASE_CA: authority } = value;
  if (url === undefined) {
    if (authority !== undefined) throw new ConfigError('DATABASE_CA needs DATABASE_URL.');
    return undefined;
  }
  try {
    return completeUrl(url, authority);
  } catch (error) {
    if (!(error instanceof DatabaseAddressError)) throw error;
    throw new ConfigError(`DATABASE_URL ${error.message}.`);
  }
}

function readRedis({ REDIS_URL: url }: z.output<typeof Environment>): RedisAddress | undefined {
  try {
    return url === undefined ? undefined : readRedisUrl(url);
  } catch (error) {
    if (!(error instanceof RedisAddressError)) throw error;
    throw new ConfigError(`REDIS_URL ${error.message}.`);
  }
}

const s3Names = [
  'S3_ENDPOINT',
  'S3_BUCKET',
  'S3_REGION',
  'S3_ACCESS_KEY_ID',
  'S3_SECRET_ACCESS_KEY',
] as const satisfies (keyof z.output<typeof Environment>)[];

function readS3(value: z.output<typeof Environment>): S3Settings | undefined {
  const present = s3Names.filter((name) => value[name] !== undefined);
  if (present.length === 0) return undefined;
  const [endpoint, bucket, region, accessKeyId, secretAccessKey] = s3Names.map((name) => {
    const text = value[name];
    if (text === undefined) throw new ConfigError(`${name} must be set, because ${present[0]} is.`);
    return text;
  }) as [string, string, string, string, string];
  return { endpoint: endpoint.replace(/\/+$/, ''), bucket, region, accessKeyId, secretAccessKey };
}

/**
 * Reads the environment and the command line. An empty value counts as unset.
 * @throws ConfigError naming the first variable that breaks its rule.
 */
export function readConfig(
  environment: Readonly<Record<string, string | undefined>> = process.env,
  flags: readonly string[] = process.argv.slice(2),
): Config {
  const unknownFlag = flags.find((flag) => flag !== '--empty');
  if (unknownFlag !== undefined)
    throw new ConfigError(`${unknownFlag} is not known; the only flag is --empty.`);
  const variables = Object.fromEntries(Object.entries(environment).filter(([, value]) => value?.trim()));
  const read = Environment.safeParse(variables);
  if (!read.success) {
    const issue = read.error.issues[0];
    throw new ConfigError(`${issue?.path[0]?.toString() ?? 'environment'} ${issue?.message ?? 'is wrong'}.`);
  }
  const value = read.data;
  const production = value.NODE_ENV === 'production';
  if (value.PAYMONGO_SECRET_KEY && !value.SMTP_URL) {
    throw new ConfigError(
      'PAYMONGO_SECRET_KEY needs SMTP_URL: with real payments the mailbox page is not loaded, so mails need a mail server.',
    );
  }
  const missingKeys = missingOAuthKeys(value);
  if (missingKeys !== null) throw new ConfigError(missingKeys);
  const missing = (['SMTP_URL', 'PAYMONGO_SECRET_KEY'] as const).filter((name) => !value[name]);
  if (production && missing.length > 0 && value.ALLOW_STAND_INS !== '1') {
    throw new ConfigError(
      `${missing.join(' and ')} must be set in production; ALLOW_STAND_INS=1 starts it on the mailbox page and the payment sandbox instead.`,
    );
  }
  if (production && value.RATE_LIMITS === 'off')
    throw new ConfigError('RATE_LIMITS must be on in production.');
  const ownParts = (['DATABASE_URL', 'SMTP_URL', 'PAYMONGO_SECRET_KEY'] as const).filter(
    (name) => !value[name],
  );
  if (value.ROLE !== 'all' && ownParts.length > 0) {
    throw new ConfigError(
      `ROLE=${value.ROLE} needs ${ownParts.join(' and ')}: the embedded database, the mailbox page and the payment sandbox belong to one node, which does everything.`,
    );
  }
  const databaseUrl = readDatabaseUrl(value);
  const redis = readRedis(value);
  return {
    port: value.PORT,
    host: value.HOST,
    role: value.ROLE,
    drainDelayMs: value.DRAIN_DELAY * 1000,
    drainMs: value.DRAIN_SECONDS * 1000,
    dataDir: resolve(repositoryRoot, value.DATA_DIR),
    databaseUrl,
    s3: readS3(value),
    databaseConnections: {
      core: value.DATABASE_CORE_CONNECTIONS,
      browsing: value.DATABASE_BROWSING_CONNECTIONS,
      background: value.DATABASE_BACKGROUND_CONNECTIONS,
    },
    redis,
    diskReserveBytes: value.DISK_RESERVE_MB * 2 ** 20,
    publicUrl: (value.PUBLIC_URL ?? `http://localhost:${value.PORT}`).replace(/\/+$/, ''),
    allowedOrigins: value.ALLOWED_ORIGINS,
    trustProxy: value.TRUST_PROXY,
    smtpUrl: value.SMTP_URL,
    mailFrom: value.MAIL_FROM,
    payMongo: value.PAYMONGO_SECRET_KEY
      ? {
          secretKey: value.PAYMONGO_SECRET_KEY,
          webhookSecret: value.PAYMONGO_WEBHOOK_SECRET,
          baseUrl: value.PAYMONGO_BASE_URL.replace(/\/+$/, ''),
        }
      : undefined,
    payMongoLinks: value.PAYMONGO_LINKS,
    documentsKey: value.DOCUMENTS_KEY,
    serverKey: value.SERVER_KEY,
    vapidPrivateKey: value.VAPID_PRIVATE_KEY,
    pushHosts: value.PUSH_HOSTS,
    conversationDays: value.CONVERSATION_DAYS,
    unpaidDays: value.UNPAID_DAYS,
    notificationMailMinutes: value.NOTIFICATION_MAIL_MINUTES,
    platformFeeBasisPoints: value.PLATFORM_FEE_BASIS_POINTS,
    chargebackFeeCentavos: value.CHARGEBACK_FEE_CENTAVOS,
    payoutLimitCentavos: value.PAYOUT_LIMIT_CENTAVOS,
    paymentMethods: value.PAYMENT_METHODS,
    payouts: value.PAYOUTS,
    oauth: oauthConfig(value),
    mobileSignIn: value.MOBILE_SIGN_IN === 'on',
    logLevel: value.LOG_LEVEL,
    apiReference: (value.API_REFERENCE ?? (production ? 'off' : 'on')) === 'on',
    rateLimits: value.RATE_LIMITS === 'on',
    projectId: value.PROJECT_ID,
    databaseId: value.DATABASE_ID,
    production,
    empty: production || flags.includes('--empty'),
  };
}

/** Where a process of this machine reaches the server, whatever proxies are in front of it. */
export function localUrl({ host, port }: Pick<Config, 'host' | 'port'>): string {
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return new URL(`http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`).origin;
}

/** Folder of the built web. */
export const webFolder = join(repositoryRoot, 'web/dist');

/** Folder of the SQL migrations. */
export const migrationsFolder = join(repositoryRoot, 'server/migrations');

/** Reads the configuration for a process: a wrong value is one line on stderr and `refusedExitCode`. */
export function readConfigOrExit(): Config {
  try {
    return readConfig();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    console.error(error.message);
    process.exit(refusedExitCode);
  }
}
