import diagnostics from 'node:diagnostics_channel';
import { readFileSync } from 'node:fs';
import Module, { createRequire } from 'node:module';
import { join } from 'node:path';
import { openBrowser } from '@tara/server/testing/backend/browser';
import { waitFor } from '../outside.ts';
import { nativeFile, openReactNative } from './react-native.ts';

/** An official SDK as it is published, of one version. */
export interface Sdk {
  name: 'appwrite' | 'node-appwrite' | 'react-native-appwrite';
  version: string;
  /** Folder of its package. */
  folder: string;
}

export type Service = 'account' | 'databases' | 'storage' | 'client';

type Method = (...args: unknown[]) => unknown;
/** The SDK's class that writes queries: `query.limit(1)`. */
export type Query = Record<
  'limit' | 'offset' | 'equal' | 'cursorAfter' | 'orderDesc' | 'search',
  (...args: unknown[]) => string
>;
type Services = Record<Service, Record<string, Method | undefined>>;

const loadJson = (file: string) => JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;

/** What SDKs for Node before 26 load for their requests. Its agents have no longer the interface that `fetch` of Node 26 expects. */
const fetchPackages: Record<string, unknown> = {
  'node-fetch-native-with-agent': { fetch, FormData, File, Blob, Headers, Request, Response },
  'node-fetch-native-with-agent/agent': { createAgent: () => ({}) },
};

/** Loads a file of a package, or its main one, with the `fetch` of this Node. */
function loadPackage({ folder }: Sdk, file = ''): unknown {
  const require = createRequire(join(folder, 'package.json'));
  const manifest = readFileSync(join(folder, 'package.json'), 'utf8');
  for (const [name, exports] of Object.entries(fetchPackages)) {
    if (!manifest.includes('"node-fetch-native-with-agent"')) break;
    const path = require.resolve(name);
    require.cache[path] = Object.assign(new Module(path), { exports, loaded: true });
  }
  return require(join(folder, file));
}

/** The SDK in a package's folder. */
export function readSdk(folder: string): Sdk {
  const { name = '', version = '' } = loadJson(join(folder, 'package.json'));
  return { name: name as Sdk['name'], version, folder };
}

/** `appwrite 13.0.2` */
export const sdkTitle = ({ name, version }: Sdk) => `${name} ${version}`;

/** Whether the SDK runs in Node, where its session is a secret and no cookie. */
export const isForNode = ({ name }: Sdk) => name === 'node-appwrite';

/** Someone who uses one SDK: a browser, or a program that runs in Node. */
export interface SdkUser {
  readonly sdk: Sdk;
  /** The classes of the SDK, and its `client`. */
  readonly services: Services;
  readonly query: Query;
  /** Cookies of the browser; none in Node, which sends its session's secret. */
  readonly cookies: ReadonlyMap<string, string>;
  /** Headers that were set on top of the SDK's own. */
  readonly headers: Readonly<Record<string, string>>;
  setHeader(name: string, value: string): void;
  /** Continues a session that began elsewhere. */
  useSession(secret: string): void;
  /** Opens an address as the browser's page; a redirect is not followed. */
  visit(url: string): Promise<Response>;
  /** Where the SDK sent the browser's page; empty in Node. */
  location(): string;
  /** What sockets were sent, and the codes with which they were closed. */
  readonly frames: readonly string[];
  readonly closeCodes: readonly number[];
  close(): void;
}

interface SdkClient {
  setEndpoint(url: string): SdkClient;
  setProject(id: string): SdkClient;
  setSession?(secret: string): SdkClient;
  headers: Record<string, string>;
}
type SdkModule = Record<'Account' | 'Databases' | 'Storage', new (client: SdkClient) => object> & {
  Client: new () => SdkClient;
  Query: Query;
};

interface SdkSettings {
  /** Without a slash at its end. */
  url: string;
  project?: string;
  /** Origin of the browser's page; the server's own unless given. Node has none unless given. */
  origin?: string;
}

/** The simulated browser or phone that an SDK runs in; null for the one of Node. */
function openDevice(sdk: Sdk, origin: string) {
  if (isForNode(sdk)) return null;
  if (sdk.name === 'react-native-appwrite') return openReactNative(sdk);
  return openBrowser('appwrite-27', { origin, bundle: join(sdk.folder, 'dist/iife/sdk.js') });
}

/** Opens an SDK as it is published, for one person without a session. */
export function openSdk(sdk: Sdk, { url, project = 'tara', origin }: SdkSettings): SdkUser {
  const browser = openDevice(sdk, origin ?? new URL(url).origin);
  // Their types differ for the same calls, which are named by data here.
  const module = (browser?.sdk ?? loadPackage(sdk)) as unknown as SdkModule;
  const client = new module.Client().setEndpoint(`${url}/v1`).setProject(project);
  if (browser === null && origin !== undefined) client.headers.origin = origin;
  const headers: Record<string, string> = {};
  const services = {
    account: new module.Account(client),
    databases: new module.Databases(client),
    storage: new module.Storage(client),
    client,
  };
  return {
    sdk,
    services: services as unknown as Services,
    query: module.Query,
    cookies: browser?.cookies ?? new Map(),
    headers,
    setHeader: (name, value) => {
      client.headers[name] = value;
      headers[name] = value;
    },
    useSession: (secret) => {
      if (browser === null) client.setSession?.(secret);
      else browser.cookies.set('a_session_tara', secret);
    },
    visit: (url) => (browser === null ? fetch(url, { redirect: 'manual' }) : browser.visit(url)),
    location: () => browser?.location.href ?? '',
    frames: browser?.frames ?? [],
    closeCodes: browser?.closeCodes ?? [],
    close: () => browser?.close(),
  };
}

const methodNames = new Map<string, string | undefined>();

/** The first of the methods that the SDK has, by its own prototype; undefined when it has none. */
export function findMethod(sdk: Sdk, service: Service, names: readonly string[]): string | undefined {
  const key = `${sdkTitle(sdk)} ${service} ${names}`;
  if (!methodNames.has(key)) {
    const { services } = openSdk(sdk, { url: 'http://localhost' });
    methodNames.set(
      key,
      names.find((name) => typeof services[service][name] === 'function'),
    );
  }
  return methodNames.get(key);
}

/** Whether the SDK's method knows a parameter, by its own source. */
export function hasParameter(sdk: Sdk, service: Service, method: string, parameter: string): boolean {
  const { services } = openSdk(sdk, { url: 'http://localhost' });
  return new RegExp(`\\b${parameter}\\b`).test(String(services[service][method]));
}

const textSequences = new Map<Sdk, boolean>();

/** Whether the SDK asks for a response format in which `$sequence` is a text. */
export function readsSequenceAsText(sdk: Sdk): boolean {
  const known = textSequences.get(sdk);
  if (known !== undefined) return known;
  const { headers } = openSdk(sdk, { url: 'http://localhost' }).services.client;
  const format = (headers as unknown as Record<string, string>)['X-Appwrite-Response-Format'] ?? '';
  const isText = format.localeCompare('1.9.0', 'en', { numeric: true }) >= 0;
  textSequences.set(sdk, isText);
  return isText;
}

/** A file as the SDK takes it. */
export function openFile(sdk: Sdk, bytes: Uint8Array, name: string, type: string): unknown {
  if (sdk.name === 'react-native-appwrite') return nativeFile(bytes, name, type);
  if (!isForNode(sdk)) return new File([new Uint8Array(bytes)], name, { type });
  const { InputFile } = loadPackage(sdk, 'dist/inputFile.js') as {
    InputFile: { fromBuffer(bytes: Uint8Array, name: string): unknown };
  };
  return InputFile.fromBuffer(new Uint8Array(bytes), name);
}

/** Plain objects of what an SDK made: the newest ones have no prototype, or are of another context. */
const plain = (value: unknown): unknown =>
  value === undefined || typeof value === 'function' ? value : JSON.parse(JSON.stringify(value));

/** The error of a reply, as the SDKs throw it. */
async function replyError(answer: Response): Promise<Error> {
  const { message, code, type } = (await answer.json()) as SdkError;
  return Object.assign(new Error(message), { code, type });
}

/** Where a sign-in at another provider begins: a browser is sent there by its page, Node gets the address. */
async function readRedirect(user: SdkUser, answer: unknown): Promise<unknown> {
  if (user.location() === '') return answer;
  const reply = await user.visit(user.location());
  if (reply.status >= 400) throw await replyError(reply);
  return reply.headers.get('location');
}

/** The bytes at an address that an SDK made, read as a browser does that shows a picture. */
async function openUrl({ cookies, headers }: SdkUser, url: string): Promise<Buffer> {
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const answer = await fetch(url, { headers: { ...headers, cookie } });
  if (!answer.ok) throw await replyError(answer);
  return Buffer.from(await answer.arrayBuffer());
}

/** The plain result of a method; for an address, its content. */
async function readAnswer(user: SdkUser, answer: unknown): Promise<unknown> {
  if (answer instanceof ArrayBuffer) return Buffer.from(answer);
  const isAddress = answer instanceof URL || (typeof answer === 'string' && /^https?:/.test(answer));
  return isAddress ? openUrl(user, String(answer)) : plain(answer);
}

/** Closing a socket with 1008 is the realtime wire's refusal. */
export const policyViolation = { code: 1008, type: 'realtime_policy_violation' } as const;

/**
 * Waits until the server has taken the channels of a subscription, in the way of the SDK's generation.
 * @throws SdkError of the code with which the socket was closed
 */
async function untilSubscribed({ frames, closeCodes }: SdkUser): Promise<void> {
  const isTaken = (frame: string) =>
    /^\{"type":"connected","data":\{.*"channels":\["/.test(frame) || frame.includes('"to":"subscribe"');
  await waitFor('subscription', async () => closeCodes.length > 0 || frames.some(isTaken), {
    timeoutMs: 15_000,
  });
  if (closeCodes.length === 0) return;
  const [code = 0] = closeCodes;
  const type = code === policyViolation.code ? policyViolation.type : '';
  throw Object.assign(new Error(frames.join()), { code, type });
}

/** Calls a method; what it throws at once is a rejection too. A session that is answered to Node is used from then on. */
export async function callSdk(
  user: SdkUser,
  service: Service,
  method: string,
  args: readonly unknown[],
): Promise<unknown> {
  const member = user.services[service][method];
  if (member === undefined) throw new Error(`${sdkTitle(user.sdk)} has no ${service}.${method}.`);
  const answer = await member.apply(user.services[service], [...args]);
  if (method.startsWith('createOAuth2')) return readRedirect(user, answer);
  const reply = await readAnswer(user, answer);
  if (service === 'client' && method === 'subscribe') await untilSubscribed(user);
  const { secret, provider } = (reply ?? {}) as { secret?: unknown; provider?: unknown };
  if (isForNode(user.sdk) && typeof secret === 'string' && secret !== '' && provider !== undefined)
    user.services.client.setSession?.(secret);
  return reply;
}

/** An error of an SDK: every one has code, type and message. */
export interface SdkError {
  code: number;
  type: string;
  message: string;
}

/** Requests of this process as `METHOD path status`, in order; `stop` ends it. */
export function recordRequests(): { requests: string[]; stop(): void } {
  const requests: string[] = [];
  const hear = (message: unknown) => {
    const { request, response } = message as {
      request: { method: string; path: string };
      response: { statusCode: number };
    };
    requests.push(`${request.method} ${request.path.split('?')[0]} ${response.statusCode}`);
  };
  diagnostics.subscribe('undici:request:headers', hear);
  return { requests, stop: () => diagnostics.unsubscribe('undici:request:headers', hear) };
}
