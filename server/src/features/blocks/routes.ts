import { blocks } from '@tara/contract/members/blocks';
import type { FastifyInstance } from 'fastify';
import { serve } from '../../platform/http/serve.ts';
import type { Platform } from '../../platform/platform.ts';
import { blockedMembers, mutedMembers } from './lists.ts';
import { block, mute, unblock, unmute } from './write.ts';

/** Binds the calls of blocks and mutes. */
export function blockRoutes(app: FastifyInstance, platform: Pick<Platform, 'database' | 'bus'>): void {
  const { database } = platform;
  for (const [call, write] of [
    [blocks.block, block],
    [blocks.unblock, unblock],
    [blocks.mute, mute],
    [blocks.unmute, unmute],
  ] as const) {
    serve(app, call, ({ viewer, body }) => write(platform, viewer, body.profileId), { perMinute: 30 });
  }
  serve(app, blocks.blocked, ({ viewer, query }) => blockedMembers(database, viewer, query.cursor));
  serve(app, blocks.muted, ({ viewer, query }) => mutedMembers(database, viewer, query.cursor));
}
