import { notifications } from '@tara/contract/notifications/notifications';
import { notificationSettings } from '@tara/contract/notifications/settings';
import { unsubscribe } from '@tara/contract/notifications/unsubscribe';
import type { FastifyInstance } from 'fastify';
import { serve } from '../../platform/http/serve.ts';
import type { Platform } from '../../platform/platform.ts';
import { listNotifications } from './list.ts';
import { markAllRead, markRead } from './mark.ts';
import { findRead } from './push-tags.ts';
import { choose, pause, readSettings, updateSettings } from './settings.ts';
import { endEmails, readTopics } from './unsubscribe.ts';

type CallContext = Pick<Platform, 'config' | 'database' | 'bus' | 'sealer'>;

/** Binds the calls of notifications (`contract/src/notifications`). */
export function notificationRoutes(app: FastifyInstance, platform: CallContext): void {
  const { database } = platform;
  serve(app, notifications.list, ({ viewer, query }) => listNotifications(database, viewer, query));
  serve(app, notifications.markRead, ({ viewer, body }) => markRead(platform, viewer, body.ids), {
    perMinute: 120,
  });
  serve(app, notifications.findRead, ({ viewer, body }) => findRead(database, viewer, body.tags), {
    perMinute: 120,
  });
  serve(app, notifications.markAllRead, ({ viewer, body }) => markAllRead(platform, viewer, body));
  serve(app, notificationSettings.get, ({ viewer }) => readSettings(database, viewer));
  serve(app, notificationSettings.choose, ({ viewer, body }) => choose(database, viewer, body));
  serve(app, notificationSettings.update, ({ viewer, body }) => updateSettings(database, viewer, body));
  serve(app, notificationSettings.pause, ({ viewer, body }) => pause(database, viewer, body.hours));
  unsubscribeRoutes(app, platform);
}

/** A mail program's provider calls for many members from few addresses. */
const clicksPerMinute = 120;

function unsubscribeRoutes(app: FastifyInstance, platform: CallContext): void {
  const { config, sealer } = platform;
  serve(app, unsubscribe.open, async ({ params, reply }) =>
    reply.redirect(`${config.publicUrl}/unsubscribe/${params.token}`, 302),
  );
  serve(app, unsubscribe.topics, async ({ params }) => readTopics(sealer, params.token), {
    perMinute: clicksPerMinute,
  });
  app.register(async (scope) => {
    // The form of a mail program says nothing that is not in the address.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, _body, done) => done(null));
    serve(scope, unsubscribe.confirm, ({ params }) => endEmails(platform, params.token), {
      perMinute: clicksPerMinute,
      bodyLimit: 16 * 1024,
      fromAnywhere: true,
    });
  });
}
