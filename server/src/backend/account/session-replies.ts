import type { Session } from '@tara/contract/wire/account-records';
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  announceEnded,
  deviceToken,
  readDevice,
  readVisit,
  type SignedIn,
  type Visit,
} from '../../features/accounts/index.ts';
import {
  clearCookie,
  deviceCookie,
  fallbackName,
  readCookie,
  sessionCookie,
  setCookie,
} from '../../platform/http/cookies.ts';
import type { Platform } from '../../platform/platform.ts';
import { presentSession } from '../present.ts';
import { foreignOrigin } from '../wire.ts';

/** A browser keeps the secret in its cookie, out of reach of scripts; another client gets it in the reply. */
const isBrowser = ({ headers }: FastifyRequest) =>
  headers.origin !== undefined || headers['sec-fetch-site'] !== undefined;

/** How a session reaches its client and is taken away again: by cookies, or in the reply where those are of no use. */
export function sessionReplies({ config, sealer, bus }: Platform) {
  const cookies = {
    session: sessionCookie(config.projectId, config.publicUrl),
    device: deviceCookie(config.projectId, config.publicUrl),
  };
  const device = (request: FastifyRequest) => readDevice(sealer, readCookie(request, cookies.device));

  /** The header by which an SDK keeps the session where the browser refuses our cookie. */
  const offerFallback = (request: FastifyRequest, reply: FastifyReply, offered: object) => {
    if (foreignOrigin(request, config) !== null) reply.header('x-fallback-cookies', JSON.stringify(offered));
  };

  /** Lets the device be known when it signs in to the account again; returns its token. */
  const rememberDevice = (request: FastifyRequest, reply: FastifyReply, accountId: string): string => {
    const { token, expiresAt } = deviceToken(sealer, device(request), accountId);
    // A foreign page keeps it among its fallback cookies too, while it is signed in.
    setCookie(reply, cookies.device, token, expiresAt);
    return token;
  };

  /** Announces a new session to the account's other clients, after the end of an older one that had to go. */
  const announce = ({ session, email, ended }: SignedIn) => {
    if (ended.length > 0) announceEnded(bus, session.accountId, ended);
    const { secretHash: _, ...shown } = session;
    bus.publish('sessionChanged', { change: 'create', session: shown, email });
  };

  return {
    device,
    /** From where somebody signs in, and on which device. */
    visit: (request: FastifyRequest): Visit => ({ ...readVisit(request), device: device(request) }),
    rememberDevice,
    /** Gives a new session to its client. */
    open(request: FastifyRequest, reply: FastifyReply, started: SignedIn): Session {
      const { session, email, secret } = started;
      announce(started);
      setCookie(reply, cookies.session, secret, session.expiresAt);
      const token = rememberDevice(request, reply, session.accountId);
      offerFallback(request, reply, {
        [fallbackName(cookies.session)]: secret,
        [fallbackName(cookies.device)]: token,
      });
      return presentSession(session, {
        email,
        currentId: session.id,
        secret: isBrowser(request) ? '' : secret,
      });
    },
    /** Lets the cookie of the request's own session live as long as the session. */
    extend(request: FastifyRequest, reply: FastifyReply, expiresAt: Date): void {
      const secret = request.cookies[cookies.session.name];
      if (secret !== undefined) setCookie(reply, cookies.session, secret, expiresAt);
    },
    /**
     * Removes the session from its client, which stays a known device where it keeps our cookies. Of the fallback cookies
     * nothing is left: apps take any other value than the wire's `[]` for a session.
     */
    forget(request: FastifyRequest, reply: FastifyReply): void {
      clearCookie(reply, cookies.session);
      offerFallback(request, reply, []);
    },
    /** Hands a new session to an app, by an address that it opens; the browser that it came by does not get it. */
    handOver(started: SignedIn): { key: string; secret: string } {
      announce(started);
      return { key: cookies.session.name, secret: started.secret };
    },
  };
}

export type SessionReplies = ReturnType<typeof sessionReplies>;
