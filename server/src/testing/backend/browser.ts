import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import vm from 'node:vm';
import { nowMs } from '@tara/contract/clock';
import { WebSocket } from 'ws';

const require = createRequire(import.meta.url);

interface Sdks {
  'appwrite-13': typeof import('appwrite-13');
  'appwrite-24': typeof import('appwrite-24');
  'appwrite-27': typeof import('appwrite-27');
}

/** A simulated browser of one person, with an official SDK loaded into it. */
export interface Browser<Name extends keyof Sdks> {
  sdk: Sdks[Name];
  cookies: Map<string, string>;
  /** `METHOD path status` of every call. */
  requests: string[];
  /** Where the SDK sent its page. */
  location: { href: string };
  /** Opens an address as its page, with the cookies of its site; a redirect is not followed. */
  visit(url: string | URL, init?: RequestInit): Promise<Response>;
  /** What its sockets were sent, and the codes with which they were closed. */
  frames: readonly string[];
  closeCodes: readonly number[];
  /** ms of its own clock after which it wanted to go on, one for each timeout. */
  delaysMs: readonly number[];
  /** Closes its sockets. */
  close(): void;
}

interface BrowserOptions {
  origin: string;
  /** File of the SDK's bundle; the installed package's unless given. */
  bundle?: string;
  /** What the bundle finds beside a browser's globals. */
  globals?: Readonly<Record<string, unknown>>;
  /** false: the browser refuses third-party cookies. */
  keepsCookies?: boolean;
  /** How many times as fast its clock runs. */
  speed?: number;
}

function storage() {
  const items = new Map<string, string>();
  return {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
    clear: () => items.clear(),
  };
}

function setCookie(cookies: Map<string, string>, header: string): void {
  const [pair = '', ...attributes] = header.split(';').map((part) => part.trim());
  const separator = pair.indexOf('=');
  const ended = attributes.some((part) => {
    const [name = '', value = ''] = part.split('=');
    return name.toLowerCase() === 'expires' && Date.parse(value) <= nowMs();
  });
  if (ended) cookies.delete(pair.slice(0, separator));
  else cookies.set(pair.slice(0, separator), pair.slice(separator + 1));
}

/** Loads the SDK's bundle for browsers into a context of its own, so that several people fit into one process. */
export function openBrowser<Name extends keyof Sdks>(
  name: Name,
  { origin, bundle, globals = {}, keepsCookies = true, speed = 1 }: BrowserOptions,
): Browser<Name> {
  const cookies = new Map<string, string>();
  const requests: string[] = [];
  const sockets = new Set<WebSocket>();
  const frames: string[] = [];
  const closeCodes: number[] = [];
  const delaysMs: number[] = [];
  const cookie = () => [...cookies].map(([key, value]) => `${key}=${value}`).join('; ');
  const browse = async (input: string | URL, init: RequestInit = {}) => {
    const headers = new Headers(init.headers);
    headers.set('origin', origin);
    if (keepsCookies && cookies.size > 0) headers.set('cookie', cookie());
    const response = await fetch(input, { ...init, headers });
    requests.push(`${init.method ?? 'GET'} ${new URL(input).pathname} ${response.status}`);
    if (keepsCookies) for (const header of response.headers.getSetCookie()) setCookie(cookies, header);
    return response;
  };
  class Socket extends WebSocket {
    constructor(url: string) {
      super(url, { headers: { origin, ...(keepsCookies && cookies.size > 0 ? { cookie: cookie() } : {}) } });
      sockets.add(this);
      this.on('error', () => {});
      this.on('message', (data) => void frames.push(String(data)));
      this.on('close', (code) => void closeCodes.push(code));
    }
    /** The SDK's heartbeat also sends while it connects again: a browser reports that and goes on. */
    override send(data: string): void {
      if (this.readyState !== WebSocket.CONNECTING) super.send(data);
    }
  }
  const quiet = { log: () => {}, warn: () => {}, error: () => {} };
  const timers = {
    setTimeout: (work: () => void, ms = 0) => {
      delaysMs.push(ms);
      return setTimeout(work, ms / speed);
    },
    setInterval: (work: () => void, ms = 0) => setInterval(work, ms / speed),
    clearTimeout,
    clearInterval,
  };
  const localStorage = storage();
  const location = { href: `${origin}/`, host: new URL(origin).host };
  const window = {
    ...timers,
    fetch: browse,
    localStorage,
    console: quiet,
    location,
  };
  const context: Record<string, unknown> = {
    ...timers,
    window,
    localStorage,
    fetch: browse,
    console: quiet,
    WebSocket: Socket,
    // SDK 13 recognizes lists by `instanceof`.
    Array,
    FormData,
    File,
    Blob,
    Headers,
    URL,
    URLSearchParams,
    Promise,
    Error,
    TypeError,
    queueMicrotask,
    ...globals,
  };
  context.globalThis = context;
  vm.createContext(context);
  const file = bundle ?? join(dirname(require.resolve(`${name}/package.json`)), 'dist/iife/sdk.js');
  vm.runInContext(readFileSync(file, 'utf8'), context);
  return {
    // The bundle sets this name; its types are the package's own.
    sdk: context.Appwrite as Sdks[Name],
    cookies,
    requests,
    frames,
    closeCodes,
    delaysMs,
    location,
    visit: async (url, init = {}) => {
      const headers = new Headers(init.headers);
      headers.set('sec-fetch-mode', 'navigate');
      if (cookies.size > 0) headers.set('cookie', cookie());
      const response = await fetch(url, { ...init, headers, redirect: 'manual' });
      for (const header of response.headers.getSetCookie()) setCookie(cookies, header);
      return response;
    },
    close: () => {
      for (const socket of sockets) socket.terminate();
    },
  };
}
