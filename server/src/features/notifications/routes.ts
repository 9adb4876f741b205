import { notifications } from '@tara/contract/notifications/notifications';
import type { FastifyInstance } from 'fastify';
import { serve } from '../../platform/http/serve.ts';
import type { Platform } from '../../platform/platform.ts';
import { listNotifications } from './list.ts';
import { markAllRead, markRead } from './mark.ts';
import { findRead } from './push-tags.ts';

/** Binds the calls of notifications (`contract/src/notifications/notifications.ts`). */
export function notificationRoutes(app: FastifyInstance, platform: Pick<Platform, 'database' | 'bus'>): void {
  const { database } = platform;
  serve(app, notifications.list, ({ viewer, query }) => listNotifications(database, viewer, query));
  serve(app, notifications.markRead, ({ viewer, body }) => markRead(platform, viewer, body.ids), {
    perMinute: 120,
  });
  serve(app, notifications.findRead, ({ viewer, body }) => findRead(database, viewer, body.tags), {
    perMinute: 120,
  });
  serve(app, notifications.markAllRead, ({ viewer, body }) => markAllRead(platform, viewer, body));
}
