import type { FastifyReply, FastifyRequest } from 'fastify';
import { parseJson } from './json.ts';

/** The session cookie: `a_session_<project>`, host-bound on https. */
export interface SessionCookie {
  name: string;
  secure: boolean;
}

/** `publicUrl` decides whether the cookie may travel without TLS. */
export function sessionCookie(projectId: string, publicUrl: string): SessionCookie {
  const secure = publicUrl.startsWith('https:');
  return { name: `${secure ? '__Host-' : ''}a_session_${projectId}`, secure };
}

export function setSession(reply: FastifyReply, cookie: SessionCookie, secret: string, expires: Date): void {
  reply.setCookie(cookie.name, secret, {
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure: cookie.secure,
    expires,
  });
}

export function clearSession(reply: FastifyReply, cookie: SessionCookie): void {
  reply.clearCookie(cookie.name, { path: '/', httpOnly: true, sameSite: 'lax', secure: cookie.secure });
}

const text = (value: unknown) =>
  typeof value === 'string' && value.length > 0 && value.length < 512 ? value : null;

function fallbackCookie(header: unknown, plainName: string): string | null {
  if (typeof header !== 'string' || header.length > 4096) return null;
  try {
    const cookies: unknown = parseJson(header);
    return typeof cookies === 'object' && cookies !== null ? text(Reflect.get(cookies, plainName)) : null;
  } catch {
    // An SDK sends whatever stood in localStorage; what is not JSON is no session.
    return null;
  }
}

/** The session secret of a request: our cookie, `X-Appwrite-Session`, or `X-Fallback-Cookies`; null for a guest. */
export function sessionSecret(request: FastifyRequest, cookie: SessionCookie): string | null {
  return (
    text(request.cookies[cookie.name]) ??
    text(request.headers['x-appwrite-session']) ??
    fallbackCookie(request.headers['x-fallback-cookies'], cookie.name.replace('__Host-', ''))
  );
}
