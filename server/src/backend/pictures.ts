import { pictureUrl } from '@tara/contract/files';
import type { FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';
import { makeFileToken } from '../features/accounts/index.ts';
import { initialsPicture } from '../features/files/index.ts';
import { requestJwt, sessionCookie } from '../platform/http/cookies.ts';
import { requestOrigin } from '../platform/http/origin.ts';
import type { Platform } from '../platform/platform.ts';

/** The addresses of pictures in documents. */
export interface PictureAddresses {
  stored(bucketId: 'images' | 'messageFiles', fileId: string): string;
  /** Of somebody without a picture (§3). */
  initials(name: string): string;
}

/**
 * Makes addresses of pictures that a page of any site can show: whole, and with the project. For a session, those of
 * stored pictures carry its file token.
 */
export function pictureAddresses(
  { config, sealer }: Pick<Platform, 'config' | 'sealer'>,
  sessionId: string | null,
): PictureAddresses {
  const { publicUrl } = config;
  const project = `project=${encodeURIComponent(config.projectId)}`;
  return {
    stored(bucketId, fileId) {
      const address = `${publicUrl}${pictureUrl(bucketId, fileId)}?${project}`;
      if (sessionId === null) return address;
      return `${address}&token=${makeFileToken(sealer, { sessionId, bucketId, fileId })}`;
    },
    initials: (name) => `${publicUrl}${initialsPicture(name).imageUrl}&${project}`,
  };
}

/**
 * Whether addresses in an answer carry file tokens: for pages of other sites and for clients without our cookie, never for
 * our own pages. A JSON web token makes none, which would outlive it.
 */
export function carriesFileTokens(
  request: FastifyRequest,
  config: Pick<Config, 'projectId' | 'publicUrl' | 'allowedOrigins' | 'production'>,
): boolean {
  if (requestJwt(request) !== null) return false;
  const origin = requestOrigin(request, config);
  if (origin === 'allowed') return true;
  if (origin === 'own' || request.headers['sec-fetch-site'] === 'same-origin') return false;
  return request.cookies[sessionCookie(config.projectId, config.publicUrl).name] === undefined;
}
