import * as z from 'zod/mini';
import { calls, get, post } from '../calls.ts';
import { Time } from '../fields.ts';

const codeText = (shape: RegExp, message: string) =>
  z
    .string()
    .check(z.trim(), z.minLength(1, 'Enter the code.'), z.maxLength(40, 'Too long'), z.regex(shape, message));

/** A code of the authenticator app; spaces and dashes do not count. */
const AppCode = codeText(/^(?:\d[\s-]*){6}$/, 'A code has 6 digits.');

/** A code of the app, or a recovery code; spaces, dashes and case do not count. What has another form is no try. */
const AnyCode = codeText(
  /^(?:(?:\d[\s-]*){6}|(?:[a-z2-7][\s-]*){16})$/i,
  'A code has 6 digits, a recovery code 16 letters and digits.',
);

export const SecondFactorCode = z.strictObject({ code: AnyCode });
export type SecondFactorCode = z.infer<typeof SecondFactorCode>;

/** The first code, which proves that the app has the secret. */
export const FirstCode = z.strictObject({ code: AppCode });

/** A new secret, which is stored once a code proves that an app has it. */
export const SecondFactorSetup = z.object({
  /** Base32, to be typed into an app. */
  secret: z.string(),
  /** `otpauth:` address for a QR code. */
  uri: z.string(),
  /** The secret, encrypted for this session and the next hour; sent back with the first code. */
  setup: z.string(),
});
export type SecondFactorSetup = z.infer<typeof SecondFactorSetup>;

/** Shown once; each replaces a code of the app once. */
export const RecoveryCodes = z.object({ recoveryCodes: z.array(z.string()) });

/** The second factor of admins. Nothing here changes one that is set up: that takes the command line. */
export const secondFactor = calls('/api/secondFactor', {
  status: get('/status', {
    summary: 'Since when the admin has a second factor, and how many recovery codes are left.',
    access: 'adminLabel',
    reply: z.object({ createdAt: z.nullable(Time), recoveryCodesLeft: z.int() }),
  }),
  begin: post('/begin', {
    whileSuspended: true,
    summary: 'Makes a secret for an authenticator app; nothing is stored yet.',
    access: 'adminLabel',
    recentPassword: 'always',
    reply: SecondFactorSetup,
    errors: ['second_factor_exists'],
  }),
  setUp: post('/setUp', {
    whileSuspended: true,
    summary: 'Stores the secret, proved by a code of the app, and returns the recovery codes.',
    access: 'adminLabel',
    recentPassword: 'always',
    body: z.extend(FirstCode, { setup: z.string().check(z.maxLength(2000)) }),
    reply: RecoveryCodes,
    errors: ['second_factor_exists', 'second_factor_setup_expired', 'second_factor_wrong'],
  }),
  confirm: post('/confirm', {
    whileSuspended: true,
    summary:
      'Shows the second factor by a code of the app or a recovery code: this session has the rights of an admin for 12 hours. A code works once.',
    access: 'adminLabel',
    body: SecondFactorCode,
    errors: ['second_factor_setup_required', 'second_factor_wrong'],
  }),
  renewRecoveryCodes: post('/renewRecoveryCodes', {
    summary: 'Makes new recovery codes in place of all earlier ones.',
    access: 'admin',
    recentPassword: 'always',
    reply: RecoveryCodes,
  }),
});
