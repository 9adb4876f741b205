import type { RedisOptions } from 'ioredis';

/** The address in `REDIS_URL` cannot be used; the message says why, and holds no secret. */
export class RedisAddressError extends Error {
  override readonly name = 'RedisAddressError';
}

/** How to reach a Redis server, or by its sentinels the one that is the master now. */
export type RedisAddress = Readonly<
  Pick<
    RedisOptions,
    | 'host'
    | 'port'
    | 'username'
    | 'password'
    | 'db'
    | 'tls'
    | 'sentinels'
    | 'name'
    | 'sentinelUsername'
    | 'sentinelPassword'
    | 'sentinelTLS'
    | 'enableTLSForSentinelMode'
  >
>;

const form =
  'must be redis://user:password@host:6379/0, rediss:// for TLS, or redis+sentinel://user:password@host:26379,host:26379/master/0';
const pattern =
  /^(?<scheme>rediss?)(?<sentinel>\+sentinel)?:\/\/(?:(?<user>[^:@/?#]*)(?::(?<password>[^@/?#]*))?@)?(?<hosts>[^@/?#]+)(?:\/(?<path>[^?#]*))?(?:\?(?<query>[^#]*))?$/;
const hostPattern = /^(?:\[(?<ipv6>[\da-f:.]+)\]|(?<host>[\w.-]+))(?::(?<port>\d{1,5}))?$/i;
const parameters = ['sentinelUsername', 'sentinelPassword'] as const;

function refuse(message: string): never {
  throw new RedisAddressError(message);
}

function decode(text: string | undefined): string | undefined {
  try {
    return text === undefined || text === '' ? undefined : decodeURIComponent(text);
  } catch {
    return refuse('must have its special characters percent-encoded');
  }
}

function readHost(text: string, defaultPort: number): { host: string; port: number } {
  const { ipv6, host, port } = hostPattern.exec(text)?.groups ?? {};
  const name = ipv6 ?? host ?? refuse(form);
  const number = port === undefined ? defaultPort : Number(port);
  if (number < 1 || number > 65_535) refuse('must have ports from 1 to 65535');
  return { host: name, port: number };
}

function readNumber(text: string | undefined): number {
  if (text !== undefined && text !== '' && !/^\d{1,5}$/.test(text))
    refuse('must end with the number of a database, or without one');
  return Number(text ?? 0);
}

/** The parameters behind the `?`. An unknown one is refused: another program's would not be obeyed. */
function readParameters(query: string | undefined, isSentinel: boolean) {
  const known: readonly string[] = isSentinel ? parameters : [];
  const values = new URLSearchParams(query);
  const unknown = [...values.keys()].find((name) => !known.includes(name));
  if (unknown !== undefined) refuse(`must not have the parameter ${unknown}`);
  const [username, password] = parameters.map((name) => values.get(name) || undefined);
  return {
    ...(username === undefined ? {} : { sentinelUsername: username }),
    ...(password === undefined ? {} : { sentinelPassword: password }),
  };
}

/**
 * Reads `REDIS_URL`: one server, or the sentinels that name it. User, password and number of the database are the server's.
 * @throws RedisAddressError
 */
export function readRedisUrl(url: string): RedisAddress {
  const { scheme, sentinel, user, password, hosts, path, query } = pattern.exec(url)?.groups ?? {};
  if (hosts === undefined) refuse(form);
  const isSentinel = sentinel !== undefined;
  const tls = scheme === 'rediss' ? {} : undefined;
  const segments = (path ?? '').split('/');
  const [username, secret] = [decode(user), decode(password)];
  const common = {
    ...(username === undefined ? {} : { username }),
    ...(secret === undefined ? {} : { password: secret }),
    ...readParameters(query, isSentinel),
  };
  if (!isSentinel) {
    if (segments.length > 1 || hosts.includes(',')) refuse(form);
    return { ...common, ...readHost(hosts, 6379), db: readNumber(segments[0]), ...(tls && { tls }) };
  }
  const [name, number, ...more] = segments.map(decode);
  if (name === undefined) refuse('must name the master behind the hosts of its sentinels');
  if (more.length > 0) refuse(form);
  const sentinels = hosts.split(',').map((host) => readHost(host, 26_379));
  const secure = tls && { tls, sentinelTLS: tls, enableTLSForSentinelMode: true };
  return { ...common, sentinels, name, db: readNumber(number), ...secure };
}
