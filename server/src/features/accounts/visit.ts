import type { FastifyRequest } from 'fastify';

/** From where a call comes, as sessions and security events keep it. */
export interface Visit {
  ip: string;
  userAgent: string;
}

/** Reads the caller's address and user agent; a user agent is cut at 512 characters. */
export function visitOf(request: FastifyRequest): Visit {
  return { ip: request.ip, userAgent: (request.headers['user-agent'] ?? '').slice(0, 512) };
}

/** For what the server does by itself. */
export const noVisit: Visit = { ip: '', userAgent: '' };
