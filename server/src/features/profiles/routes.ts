import { profiles } from '@tara/contract/members/profiles';
import type { FastifyInstance } from 'fastify';
import { serve } from '../../platform/http/serve.ts';
import type { Platform } from '../../platform/platform.ts';
import { listFriends, removeFriend } from './friends.ts';
import { getProfile, listPeople, searchPeople } from './read.ts';
import { updateAbout, updatePicture, updateSharing } from './update.ts';

/** Binds the calls of profiles. */
export function profileRoutes(app: FastifyInstance, platform: Platform): void {
  const { database } = platform;
  serve(app, profiles.get, async ({ viewer, params }) => getProfile(database, viewer, params.id));
  serve(app, profiles.people, async ({ viewer, query: { search, cursor } }) =>
    search ? searchPeople(database, viewer, search) : listPeople(database, viewer, cursor),
  );
  serve(app, profiles.friends, async ({ viewer, query }) => listFriends(database, viewer, query.cursor));
  serve(app, profiles.removeFriend, ({ viewer, body }) => removeFriend(platform, viewer, body.friendId), {
    perMinute: 60,
  });
  serve(app, profiles.updateAbout, async ({ viewer, body }) => updateAbout(platform, viewer, body), {
    perMinute: 30,
  });
  serve(
    app,
    profiles.updatePicture,
    async ({ viewer, body }) => updatePicture(platform, viewer, body.imageId),
    { perMinute: 30 },
  );
  serve(
    app,
    profiles.updateSharing,
    async ({ viewer, body }) => updateSharing(platform, viewer, body.sharesPosts),
    { perMinute: 30 },
  );
}
