import { pino } from 'pino';
import { loggedError, safeMessage, withoutParameters } from './log-errors.ts';
import { boundedOutput } from './log-output.ts';

/** The server's log; a request's lines carry its id as `reqId`. */
export type Log = pino.Logger;

/** Names whose values never reach a log, anywhere in the first three levels of a logged object. */
const secretNames = [
  'password',
  'oldPassword',
  'newPassword',
  'passwordAgain',
  'secret',
  'secretKey',
  'clientSecret',
  'privateKey',
  'webhookSecret',
  'documentsKey',
  'token',
  'jwt',
  'authorization',
  'Authorization',
  'cookie',
  'Cookie',
  '"set-cookie"',
  '"x-appwrite-session"',
  '"x-appwrite-jwt"',
  '"x-fallback-cookies"',
  '"paymongo-signature"',
  'card',
  'cardNumber',
  'card_number',
  'cvc',
  'email',
  'phone',
  'phoneNumber',
  'birthDate',
  'to',
];

const path = (parents: string, name: string) =>
  name.startsWith('"') ? `${parents.slice(0, -1)}[${name}]` : `${parents}${name}`;

const redacted = secretNames.flatMap((name) => [
  name.startsWith('"') ? `[${name}]` : name,
  path('*.', name),
  path('*.*.', name),
  path('*.*.*.', name),
]);

/** Takes what follows the `?` of an address away: secrets of mail links travel there. */
const withoutQuery = (url: unknown) => (typeof url === 'string' ? url.replace(/\?.*$/s, '?…') : url);

interface LogOptions {
  readonly level: pino.LevelWithSilent;
  /** Where lines go; stdout unless given. */
  readonly destination?: pino.DestinationStream;
}

/** Texts of a line without parameters of statements; a line about an error alone gets the error's safe message. */
function cleanEntry(entry: unknown[]): unknown[] {
  const [first, ...rest] = entry.map((part) => (typeof part === 'string' ? withoutParameters(part) : part));
  const error = first instanceof Error ? first : errorField(first);
  // Without a text pino would take the error's own message, parameters and all.
  if (error === undefined || typeof rest[0] === 'string') return [first, ...rest];
  return [first, error instanceof Error ? safeMessage(error) : 'failed', ...rest];
}

const errorField = (entry: unknown): unknown =>
  typeof entry === 'object' && entry !== null && 'err' in entry ? entry.err : undefined;

let stdout: pino.DestinationStream | undefined;
/** Where all logs of the process go. */
function standardOutput(): pino.DestinationStream {
  stdout ??= boundedOutput(process.stdout);
  return stdout;
}

/**
 * Opens a log whose lines are JSON and hold no password, cookie, token, secret, card, email, phone number, or
 * parameter of a failed statement.
 */
export function openLog({ level, destination }: LogOptions): Log {
  const options: pino.LoggerOptions = {
    level,
    base: undefined,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: redacted, censor: '[redacted]' },
    hooks: {
      logMethod(entry, method) {
        method.apply(this, cleanEntry(entry) as typeof entry);
      },
    },
    serializers: {
      err: loggedError,
      req: (request: { id?: unknown; method?: unknown; url?: unknown }) => ({
        id: request.id,
        method: request.method,
        url: withoutQuery(request.url),
      }),
      res: (reply: { statusCode?: unknown }) => ({ statusCode: reply.statusCode }),
    },
  };
  return pino(options, destination ?? standardOutput());
}

/** A log without output unless `LOG_LEVEL` is set: for tests and short commands. */
export function quietLog(): Log {
  const level = process.env.LOG_LEVEL;
  return pino({ level: level && level in pino.levels.values ? level : 'silent' });
}
