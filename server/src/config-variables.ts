import { conversationDays, notificationMailMinutes, price, unpaidDays } from '@tara/contract/limits';
import { isPaymentMethod, type PaymentMethod } from '@tara/contract/money/payment-methods';
import { z } from 'zod';
import { oauthEnvironment, oauthVariables } from './config-oauth.ts';
import { isVapidKey } from './platform/vapid.ts';

/** What one environment variable means; the README's table is checked against these rows. */
export interface Variable {
  readonly name: string;
  /** As the README shows it; empty when there is none. */
  readonly default: string;
  readonly what: string;
}

/** Every variable the server obeys, in the README's order. */
export const variables: readonly Variable[] = [
  { name: 'PORT', default: '3000', what: 'Port to listen on; 0 takes a free one.' },
  { name: 'HOST', default: '127.0.0.1', what: 'Address to listen on.' },
  {
    name: 'ROLE',
    default: 'all',
    what: 'web serves members and leaves jobs to other nodes, worker does jobs and serves only its health, all is both.',
  },
  {
    name: 'DRAIN_DELAY',
    default: '0',
    what: 'Seconds from the signal to stop during which Tara still serves, with 503 at /readyz: what a load balancer needs to notice.',
  },
  {
    name: 'DRAIN_SECONDS',
    default: '5',
    what: 'Seconds after them within which Tara finishes requests and jobs, lets go of its sockets, and ends.',
  },
  { name: 'DATA_DIR', default: '.data', what: 'Folder of the embedded database, the files and the keys.' },
  {
    name: 'DATABASE_URL',
    default: '',
    what: 'A Postgres 15 or newer to use instead of the embedded one, with sslmode, sslrootcert, sslcert and sslkey as libpq means them.',
  },
  {
    name: 'DATABASE_CA',
    default: '',
    what: 'Certificate of the authority that signed the one of DATABASE_URL: PEM, or the path of a PEM file. Verifies the host too, unless sslmode says otherwise.',
  },
  {
    name: 'DATABASE_CORE_CONNECTIONS',
    default: '3',
    what: 'Most connections for sign-in, chat and money.',
  },
  {
    name: 'DATABASE_BROWSING_CONNECTIONS',
    default: '3',
    what: 'Most connections for lists, records, and what members write beside chat and money.',
  },
  {
    name: 'DATABASE_BACKGROUND_CONNECTIONS',
    default: '3',
    what: 'Most connections for jobs, exports and the pages of admins.',
  },
  {
    name: 'REDIS_URL',
    default: '',
    what: 'A Redis or Valkey that several nodes share, as redis:// or rediss://, or by its sentinels as redis+sentinel://HOST,HOST/MASTER.',
  },
  {
    name: 'S3_ENDPOINT',
    default: '',
    what: 'Address of an S3 store for the files, in place of the folder in DATA_DIR; needs the four below.',
  },
  { name: 'S3_BUCKET', default: '', what: 'Bucket of the files, for Tara alone; it must be there already.' },
  { name: 'S3_REGION', default: '', what: 'Region of the bucket; us-east-1 where a store has none.' },
  {
    name: 'S3_ACCESS_KEY_ID',
    default: '',
    what: 'Key that may list, read, write and delete in the bucket.',
  },
  { name: 'S3_SECRET_ACCESS_KEY', default: '', what: 'Secret of that key.' },
  {
    name: 'DISK_RESERVE_MB',
    default: '256',
    what: 'MB of free space below which calls that add content answer 507, until twice as much is free; 0 never refuses them.',
  },
  {
    name: 'PUBLIC_URL',
    default: 'http://localhost:PORT',
    what: 'Address people reach Tara at; links in mails begin with it, and https switches on secure cookies.',
  },
  {
    name: 'ALLOWED_ORIGINS',
    default: '',
    what: 'Further origins whose pages may call the server, separated by commas; of an app with the Flutter SDK appwrite-PLATFORM://PACKAGE.',
  },
  { name: 'TRUST_PROXY', default: 'off', what: 'Number of proxies in front of the server, or off.' },
  {
    name: 'SMTP_URL',
    default: '',
    what: 'Mail server, as smtp:// or smtps://; unset shows the mailbox page.',
  },
  { name: 'MAIL_FROM', default: 'Tara <no-reply@localhost>', what: 'Sender of the mails.' },
  {
    name: 'PAYMONGO_SECRET_KEY',
    default: '',
    what: 'Secret key of PayMongo; unset pays through the sandbox. Needs SMTP_URL.',
  },
  {
    name: 'PAYMONGO_WEBHOOK_SECRET',
    default: '',
    what: 'Signing secret of a webhook registered by hand; unset registers one.',
  },
  {
    name: 'PAYMONGO_LINKS',
    default: 'classic',
    what: 'classic or payment_links: the API of PayMongo that makes payment links. Links of the other one stay payable.',
  },
  { name: 'PAYMONGO_BASE_URL', default: 'https://api.paymongo.com', what: 'Address of the PayMongo API.' },
  {
    name: 'ALLOW_STAND_INS',
    default: '0',
    what: '1 lets production start without SMTP_URL or PAYMONGO_SECRET_KEY, on the mailbox page and the payment sandbox.',
  },
  {
    name: 'DOCUMENTS_KEY',
    default: '',
    what: 'Key that encrypts identity documents, 32 bytes in base64; unset makes one in DATA_DIR/documents.key. NEW,OLD while it is rotated. Keep it apart from the data in production.',
  },
  {
    name: 'SERVER_KEY',
    default: '',
    what: 'Key that seals mails that wait, cookies, codes and second factors, 32 bytes in base64; unset makes one in DATA_DIR/server.key. The same for every node.',
  },
  {
    name: 'VAPID_PRIVATE_KEY',
    default: '',
    what: 'Private key that signs Web Push messages, 32 bytes in base64url; unset makes one in DATA_DIR/vapid.key. With another key a device gets nothing until Tara is opened there.',
  },
  {
    name: 'PUSH_HOSTS',
    default: '',
    what: 'Hosts of further push services, separated by commas, such as push.example.com or *.example.com. Those of Google, Mozilla, Apple and Microsoft are known.',
  },
  {
    name: 'CONVERSATION_DAYS',
    default: '7',
    what: 'Days until a one-to-one chat expires, unless one of the two pays a plan of the other.',
  },
  { name: 'UNPAID_DAYS', default: '7', what: 'Days until an unpaid request expires.' },
  {
    name: 'NOTIFICATION_MAIL_MINUTES',
    default: '5',
    what: 'Minutes after which an urgent notification is mailed that was not seen.',
  },
  {
    name: 'PLATFORM_FEE_BASIS_POINTS',
    default: '0',
    what: 'Share of each price that Tara keeps, in hundredths of a percent; stored with the request.',
  },
  {
    name: 'CHARGEBACK_FEE_CENTAVOS',
    default: '80000',
    what: 'What the provider keeps of each chargeback that is lost, which its events do not say: ₱800 by its price list of 2026.',
  },
  {
    name: 'PAYOUT_LIMIT_CENTAVOS',
    default: '5000000',
    what: 'Most that one payout carries, and so the highest price of a plan; dearer plans are closed at the start, and what is owed above it is paid out by hand.',
  },
  {
    name: 'PAYMENT_METHODS',
    default: 'card,gcash',
    what: 'Methods that the checkout of the provider account offers: card, gcash, grab_pay, paymaya, billease, dob, brankas, qrph.',
  },
  {
    name: 'PAYOUTS',
    default: 'provider',
    what: 'provider sends payouts, and refunds by transfer, by itself; manual lists them for an admin, who enters the reference of each.',
  },
  ...oauthVariables,
  {
    name: 'MOBILE_SIGN_IN',
    default: 'off',
    what: 'on or off: whether sign-in at another provider may end in an app of a phone, by appwrite-callback-PROJECT://. Any app of the phone can claim that address.',
  },
  { name: 'LOG_LEVEL', default: 'info', what: 'fatal, error, warn, info, debug, trace or silent.' },
  {
    name: 'API_REFERENCE',
    default: '',
    what: 'on or off: the page of all calls at /docs/; unset is on, and off in production.',
  },
  { name: 'RATE_LIMITS', default: 'on', what: 'on or off; off is refused in production.' },
  { name: 'PROJECT_ID', default: 'tara', what: 'Project id the Appwrite SDKs send.' },
  { name: 'DATABASE_ID', default: 'tara', what: 'Database id the Appwrite SDKs send.' },
  {
    name: 'NODE_ENV',
    default: 'development',
    what: 'production starts without the demo world and refuses its accounts.',
  },
];

const webAddress = (rule: string) =>
  z.string().refine((value) => URL.canParse(value) && /^https?:$/.test(new URL(value).protocol), rule);

/**
 * Origin of a page, or of an app: the Flutter SDK sends its platform and package, as
 * `appwrite-android://com.example.app`.
 */
const origin = (value: string) =>
  /^appwrite-[a-z]+:\/\/[\w.-]+$/.test(value) ||
  (URL.canParse(value) && new URL(value).origin === value && /^https?:/.test(value));

const wholeNumber = (least: number, most: number) => {
  const rule = `must be a whole number from ${least} to ${most}`;
  return z
    .string()
    .regex(/^\d{1,9}$/, rule)
    .transform(Number)
    .refine((number) => number >= least && number <= most, rule);
};

const identifier = z
  .string()
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9._-]{0,35}$/,
    'must be 1 to 36 letters, digits, dots, hyphens or underscores',
  );

/** 32 bytes in base64 or base64url. Node's own decoder leaves out what is neither. */
const keyBytes = (text: string) =>
  /^[A-Za-z0-9+/_-]{43}=?$/.test(text) ? Buffer.from(text, 'base64') : Buffer.alloc(0);

/** The rule of each variable, and its default. */
export const Environment = z.object({
  PORT: wholeNumber(0, 65535).default(3000),
  HOST: z.string().regex(/^\S+$/, 'must be an address or a host name').default('127.0.0.1'),
  ROLE: z.enum(['web', 'worker', 'all'], { error: 'must be web, worker or all' }).default('all'),
  DRAIN_DELAY: wholeNumber(0, 600).default(0),
  DRAIN_SECONDS: wholeNumber(1, 3600).default(5),
  DATA_DIR: z.string().default('.data'),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\/\S+$/, 'must begin with postgres:// or postgresql://')
    .optional(),
  DATABASE_CA: z.string().optional(),
  DATABASE_CORE_CONNECTIONS: wholeNumber(1, 100).default(3),
  DATABASE_BROWSING_CONNECTIONS: wholeNumber(1, 100).default(3),
  DATABASE_BACKGROUND_CONNECTIONS: wholeNumber(1, 100).default(3),
  REDIS_URL: z.string().optional(),
  S3_ENDPOINT: webAddress('must be an address that begins with http:// or https://').optional(),
  S3_BUCKET: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{2,62}$/, 'must be the name of a bucket')
    .optional(),
  S3_REGION: z
    .string()
    .regex(/^[A-Za-z0-9-]{1,40}$/, 'must be the name of a region')
    .optional(),
  S3_ACCESS_KEY_ID: z.string().regex(/^\S+$/, 'must hold no spaces').optional(),
  S3_SECRET_ACCESS_KEY: z.string().regex(/^\S+$/, 'must hold no spaces').optional(),
  DISK_RESERVE_MB: wholeNumber(0, 100_000_000).default(256),
  PUBLIC_URL: webAddress('must be an address that begins with http:// or https://').optional(),
  ALLOWED_ORIGINS: z
    .string()
    .default('')
    .transform((list) => list.split(',').flatMap((part) => part.trim() || []))
    .refine((list) => list.every(origin), 'must be origins such as https://example.com, separated by commas'),
  TRUST_PROXY: z
    .union([z.literal('off').transform(() => 0), wholeNumber(0, 10)], 'must be off or a number from 0 to 10')
    .default(0),
  SMTP_URL: z
    .string()
    .refine(
      (value) => URL.canParse(value) && /^smtps?:$/.test(new URL(value).protocol),
      'must begin with smtp:// or smtps://',
    )
    .optional(),
  MAIL_FROM: z
    .string()
    .regex(/^[^\r\n]*[^\s<>@]+@[^\s<>@]+>?$/, 'must be an email address, or Name <address>')
    .default('Tara <no-reply@localhost>'),
  PAYMONGO_SECRET_KEY: z.string().regex(/^\S+$/, 'must hold no spaces').optional(),
  PAYMONGO_WEBHOOK_SECRET: z.string().regex(/^\S+$/, 'must hold no spaces').optional(),
  PAYMONGO_LINKS: z
    .enum(['classic', 'payment_links'], { error: 'must be classic or payment_links' })
    .default('classic'),
  PAYMONGO_BASE_URL: webAddress('must be an address that begins with http:// or https://').default(
    'https://api.paymongo.com',
  ),
  ALLOW_STAND_INS: z.enum(['0', '1'], { error: 'must be 0 or 1' }).default('0'),
  DOCUMENTS_KEY: z
    .string()
    .transform((text) => text.split(',').map((part) => keyBytes(part.trim())))
    .refine(
      (keys) => keys.every((key) => key.length === 32),
      'must be 32 bytes in base64 (openssl rand -base64 32 makes one)',
    )
    .optional(),
  SERVER_KEY: z
    .string()
    .transform((text) => keyBytes(text.trim()))
    .refine(({ length }) => length === 32, 'must be 32 bytes in base64 (openssl rand -base64 32 makes one)')
    .optional(),
  VAPID_PRIVATE_KEY: z
    .string()
    .transform((text) => keyBytes(text.trim()))
    .refine(isVapidKey, 'must be the private key of a P-256 pair, 32 bytes in base64url')
    .optional(),
  PUSH_HOSTS: z
    .string()
    .default('')
    .transform((list) => list.split(',').flatMap((part) => part.trim().toLowerCase() || []))
    .refine(
      (hosts) => hosts.every((host) => /^(\*\.)?([a-z0-9-]+\.)+[a-z][a-z0-9-]*$/.test(host)),
      'must be names of hosts such as push.example.com or *.example.com, separated by commas',
    ),
  CONVERSATION_DAYS: wholeNumber(1, 36_500).default(conversationDays),
  UNPAID_DAYS: wholeNumber(1, 365).default(unpaidDays),
  NOTIFICATION_MAIL_MINUTES: wholeNumber(0, 1440).default(notificationMailMinutes),
  PLATFORM_FEE_BASIS_POINTS: wholeNumber(0, 10_000).default(0),
  CHARGEBACK_FEE_CENTAVOS: wholeNumber(0, 100_000_000).default(800_00),
  PAYOUT_LIMIT_CENTAVOS: wholeNumber(price.minimumCentavos, price.maximumCentavos).default(50_000_00),
  PAYMENT_METHODS: z
    .string()
    .default('card,gcash')
    .transform((list) => list.split(',').flatMap((part) => part.trim() || []))
    .refine(
      (list): list is PaymentMethod[] => list.length > 0 && list.every(isPaymentMethod),
      'must be names of payment methods, separated by commas',
    ),
  PAYOUTS: z.enum(['provider', 'manual'], { error: 'must be provider or manual' }).default('provider'),
  ...oauthEnvironment,
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
      error: 'must be fatal, error, warn, info, debug, trace or silent',
    })
    .default('info'),
  API_REFERENCE: z.enum(['on', 'off'], { error: 'must be on or off' }).optional(),
  MOBILE_SIGN_IN: z.enum(['on', 'off'], { error: 'must be on or off' }).default('off'),
  RATE_LIMITS: z.enum(['on', 'off'], { error: 'must be on or off' }).default('on'),
  PROJECT_ID: identifier.default('tara'),
  DATABASE_ID: identifier.default('tara'),
  NODE_ENV: z
    .enum(['development', 'test', 'production'], { error: 'must be development, test or production' })
    .default('development'),
});
