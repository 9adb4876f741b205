import type { FastifyReply, FastifyRequest } from 'fastify';
import { parseJson } from './json.ts';

/** A cookie that no script can read, host-bound on https. */
export interface HiddenCookie {
  name: string;
  secure: boolean;
}

function hiddenCookie(name: string, publicUrl: string): HiddenCookie {
  const secure = publicUrl.startsWith('https:');
  return { name: `${secure ? '__Host-' : ''}${name}`, secure };
}

/** The session cookie, `a_session_<project>`; `publicUrl` decides whether it may travel without TLS. */
export const sessionCookie = (projectId: string, publicUrl: string) =>
  hiddenCookie(`a_session_${projectId}`, publicUrl);

/** The cookie of a device that signed in before, `a_device_<project>`; it stays when the session ends. */
export const deviceCookie = (projectId: string, publicUrl: string) =>
  hiddenCookie(`a_device_${projectId}`, publicUrl);

/** The cookie that binds a sign-in at another provider to its browser, `a_oauth_<project>`. */
export const oauthCookie = (projectId: string, publicUrl: string) =>
  hiddenCookie(`a_oauth_${projectId}`, publicUrl);

const attributes = { path: '/', httpOnly: true, sameSite: 'lax' } as const;

export function setCookie(reply: FastifyReply, cookie: HiddenCookie, value: string, expires: Date): void {
  reply.setCookie(cookie.name, value, { ...attributes, secure: cookie.secure, expires });
}

export function clearCookie(reply: FastifyReply, cookie: HiddenCookie): void {
  reply.clearCookie(cookie.name, { ...attributes, secure: cookie.secure });
}

const text = (value: unknown) =>
  typeof value === 'string' && value.length > 0 && value.length < 512 ? value : null;

/** A cookie's name among the fallback cookies, which know no host-bound ones. */
export const fallbackName = (cookie: HiddenCookie) => cookie.name.replace('__Host-', '');

function fallbackCookie(header: unknown, plainName: string): string | null {
  if (typeof header !== 'string' || header.length > 4096) return null;
  try {
    const cookies: unknown = parseJson(header);
    return typeof cookies === 'object' && cookies !== null ? text(Reflect.get(cookies, plainName)) : null;
  } catch {
    // An SDK sends whatever was in localStorage; what is not JSON is no session.
    return null;
  }
}

/** A cookie's value, from itself, from a header of its own where it has one, or from `X-Fallback-Cookies`. */
export function readCookie(
  { cookies, headers }: FastifyRequest,
  cookie: HiddenCookie,
  ownHeader?: string,
): string | null {
  const own = text(cookies[cookie.name]) ?? (ownHeader === undefined ? null : text(headers[ownHeader]));
  return own ?? fallbackCookie(headers['x-fallback-cookies'], fallbackName(cookie));
}

/** The session secret of a request: our cookie, `X-Appwrite-Session`, or `X-Fallback-Cookies`; null for a guest. */
export const sessionSecret = (request: FastifyRequest, cookie: HiddenCookie): string | null =>
  readCookie(request, cookie, 'x-appwrite-session');

/** The JSON web token of a request: `X-Appwrite-JWT`, or `jwt` in the address of a websocket; null without. */
export function requestJwt(request: FastifyRequest): string | null {
  const { query } = request;
  const inAddress = request.headers.upgrade !== undefined && typeof query === 'object' && query !== null;
  return text(request.headers['x-appwrite-jwt']) ?? (inAddress ? text(Reflect.get(query, 'jwt')) : null);
}
