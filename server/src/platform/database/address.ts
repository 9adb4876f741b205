import { readFileSync } from 'node:fs';
import { isIPv6, Socket } from 'node:net';
import { checkServerIdentity, type ConnectionOptions as TlsOptions } from 'node:tls';
import postgres from 'postgres';

/** How both drivers, postgres.js and pg, reach a Postgres; what is undefined they take from their defaults. */
interface ConnectionOptions {
  readonly host: string;
  readonly port: number;
  readonly user: string | undefined;
  readonly password: string | undefined;
  readonly database: string | undefined;
  readonly ssl: TlsOptions | false;
}

/** The address in `DATABASE_URL` cannot be used; the message says why, and holds no secret. */
export class DatabaseAddressError extends Error {
  override readonly name = 'DatabaseAddressError';
}

/** How strictly the server is checked, as libpq means `sslmode`. */
const modes = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'] as const;
type Mode = (typeof modes)[number];

const parameters = ['host', 'port', 'sslmode', 'sslrootcert', 'sslcert', 'sslkey'] as const;
type Parameters = Partial<Record<(typeof parameters)[number], string>>;

const isPem = (text: string) => text.includes('-----BEGIN CERTIFICATE-----');

/** The parameters behind the `?`. An unknown one is refused: libpq would, and another program's would not be obeyed. */
function readParameters({ searchParams }: URL): Parameters {
  const unknown = [...searchParams.keys()].find((name) => !parameters.some((known) => known === name));
  if (unknown !== undefined) {
    const more = unknown === 'channel_binding' ? '; leave it out, sslmode=verify-full proves the server' : '';
    throw new DatabaseAddressError(
      `must not have the parameter ${unknown}${more} (known are ${parameters.join(', ')})`,
    );
  }
  return Object.fromEntries(searchParams);
}

function readMode({ sslmode = 'prefer' }: Parameters): Mode {
  const mode = modes.find((known) => known === sslmode);
  if (mode === undefined) throw new DatabaseAddressError(`must have an sslmode of ${modes.join(', ')}`);
  return mode;
}

function parse(url: string): URL {
  if (!URL.canParse(url) || new URL(url).hostname.includes(',')) {
    throw new DatabaseAddressError(
      'must be an address of one host such as postgres://user:password@host:5432/database, its special characters percent-encoded',
    );
  }
  return new URL(url);
}

function readPem(parameter: string, file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new DatabaseAddressError(`has a file in ${parameter} that cannot be read (${reason})`, {
      cause: error,
    });
  }
}

/** The certificates that sign the server's; undefined where the public ones count. */
function readAuthority({ sslrootcert }: Parameters): string | undefined {
  if (sslrootcert === undefined || sslrootcert === 'system') return undefined;
  const pem = isPem(sslrootcert) ? sslrootcert : readPem('sslrootcert', sslrootcert);
  if (!isPem(pem))
    throw new DatabaseAddressError('has a file in sslrootcert that holds no certificate (PEM)');
  return pem;
}

/** Which server is believed. `allow` and `prefer` are decided by `settleTls` before; by themselves they are plain. */
function tlsOptions(host: string, mode: Mode, parameters: Parameters): TlsOptions | false {
  if (host.startsWith('/') || mode === 'disable' || mode === 'allow' || mode === 'prefer') return false;
  const ca = readAuthority(parameters);
  const { sslcert, sslkey } = parameters;
  if ((sslcert === undefined) !== (sslkey === undefined))
    throw new DatabaseAddressError('must have sslcert and sslkey together');
  const own = sslcert && sslkey ? { cert: readPem('sslcert', sslcert), key: readPem('sslkey', sslkey) } : {};
  if (mode === 'verify-full') {
    // By the host of the address: the drivers name none, or `localhost`, where it is an IP address.
    return { ...own, ca, checkServerIdentity: (_, certificate) => checkServerIdentity(host, certificate) };
  }
  if (ca !== undefined) return { ...own, ca, checkServerIdentity: () => undefined };
  if (mode === 'verify-ca' || parameters.sslrootcert === 'system') {
    throw new DatabaseAddressError(
      'must have sslmode=verify-full, or the certificate of a private authority (DATABASE_CA or sslrootcert): anybody can get a certificate of a public one',
    );
  }
  return { ...own, rejectUnauthorized: false };
}

/**
 * Reads an address once for both drivers, whose own readings differ.
 * @throws DatabaseAddressError
 */
export function connectionOptions(url: string): ConnectionOptions {
  const { username, password, hostname, port, pathname, ...rest } = partsOf(parse(url));
  const host = rest.parameters.host ?? (hostname || 'localhost');
  return {
    host,
    port: Number(rest.parameters.port ?? (port || 5432)),
    user: username || undefined,
    password: password || undefined,
    database: pathname.slice(1) || undefined,
    ssl: tlsOptions(host, readMode(rest.parameters), rest.parameters),
  };
}

function partsOf(url: URL) {
  const decode = decodeURIComponent;
  try {
    return {
      username: decode(url.username),
      password: decode(url.password),
      hostname: decode(url.hostname).replace(/^\[|\]$/g, ''),
      port: url.port,
      pathname: decode(url.pathname),
      parameters: readParameters(url),
    };
  } catch (error) {
    if (error instanceof URIError)
      throw new DatabaseAddressError('must have its special characters percent-encoded', { cause: error });
    throw error;
  }
}

/**
 * `DATABASE_URL` with the certificate of `DATABASE_CA` (PEM, or the path of a PEM file): the server is then verified,
 * its host too unless the address says otherwise.
 * @throws DatabaseAddressError when the two contradict each other, or the address cannot be used.
 */
export function completeUrl(url: string, authority: string | undefined): string {
  const complete = parse(url);
  if (authority !== undefined) {
    const known = readParameters(complete);
    if (known.sslrootcert !== undefined)
      throw new DatabaseAddressError('must not have sslrootcert beside DATABASE_CA');
    if (['disable', 'allow', 'prefer'].includes(known.sslmode ?? ''))
      throw new DatabaseAddressError(
        `must not have sslmode=${known.sslmode} beside DATABASE_CA: the certificate would not be checked`,
      );
    complete.searchParams.set('sslmode', known.sslmode ?? 'verify-full');
    complete.searchParams.set('sslrootcert', authority);
  }
  connectionOptions(complete.href);
  return complete.href;
}

/**
 * A socket whose loss is told by its end alone. The driver would send statements on one between its error and its end, take the
 * answers of the next connection for theirs, and never answer the last of them.
 */
class DriverSocket extends Socket {
  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    // One that never led to the database is told by its error: the driver would connect again without an end.
    super._destroy(this.bytesRead > 0 ? null : error, done);
  }
}

/** Opens postgres.js on an address. */
export function openDriver<Types extends Record<string, postgres.PostgresType>>(
  url: string,
  options: postgres.Options<Types>,
) {
  const { host, port, ...rest } = connectionOptions(url);
  const socket = () => {
    if (host.startsWith('/')) return new DriverSocket().connect(`${host}/.s.PGSQL.${port}`);
    // By the host it names the server to TLS.
    return Object.assign(new DriverSocket().connect(port, host), { host });
  };
  // It cuts a text at the first colon.
  const hosts = isIPv6(host) ? [host] : host;
  return postgres({ ...rest, host: hosts, port, socket, ...options } as postgres.Options<Types>);
}

async function tryConnection(url: string): Promise<void> {
  const sql = openDriver(url, { max: 1, connect_timeout: 10, onnotice: () => {} });
  try {
    await sql`select 1`;
  } finally {
    await sql.end({ timeout: 1 });
  }
}

/**
 * Connects once, and decides for all later connections what `allow` (plain, else TLS) and `prefer` (TLS, else plain; the
 * default) leave open. `what` names the database in the error.
 * @returns the address, with a definite `sslmode`
 * @throws Error that says why the database cannot be used
 */
export async function settleTls(url: string, what = 'The database of DATABASE_URL'): Promise<string> {
  const withMode = (mode: Mode) => {
    const address = new URL(url);
    address.searchParams.set('sslmode', mode);
    address.searchParams.delete('sslrootcert'); // Neither verifies.
    return address.href;
  };
  const mode = readMode(readParameters(parse(url)));
  const order = { prefer: ['require', 'disable'], allow: ['disable', 'require'] } as const;
  const candidates = mode === 'prefer' || mode === 'allow' ? order[mode].map(withMode) : [url];
  const failures: unknown[] = [];
  for (const candidate of candidates) {
    try {
      await tryConnection(candidate);
      return candidate;
    } catch (error) {
      failures.push(error);
    }
  }
  const reasons = failures.map((failure) => (failure instanceof Error ? failure.message : String(failure)));
  const isOne = new Set(reasons).size === 1;
  const modes = candidates.map((candidate) => new URL(candidate).searchParams.get('sslmode'));
  const text = isOne
    ? reasons[0]
    : reasons.map((reason, index) => `${reason} (sslmode=${modes[index]})`).join('; ');
  throw new Error(`${what} cannot be used: ${text}.`, {
    cause: failures.length === 1 ? failures[0] : new AggregateError(failures, text),
  });
}
