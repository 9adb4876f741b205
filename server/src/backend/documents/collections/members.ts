import { VerificationForm } from '@tara/contract/members/verification';
import { eq, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import * as z from 'zod';
import { friends, profiles, removeFriends } from '../../../features/profiles/index.ts';
import {
  acceptRequest,
  declineRequest,
  sendRequest,
  verificationListedFor,
  verifications,
  verificationVisibleTo,
} from '../../../features/verification/index.ts';
import { requireRecentSecondFactor, type Viewer } from '../../../platform/http/viewer.ts';
import { Problem } from '../../../platform/problem.ts';
import {
  attribute,
  type Collection,
  change,
  creation,
  derived,
  derivedByServer,
  existing,
  grants,
  recordOf,
  texts,
} from '../collection.ts';
import { person } from './people.ts';

const applicant = alias(profiles, 'applicant');

/** Identity pictures have no address here: each look at one is audited. */
const picture = derived('string', [], () => null);

/** Identity checks (§3), for the member and for admins, who decide by changing `valid` to true or deleting the request. */
export const verifying: Collection = {
  source: {
    collectionId: 'verifying',
    ...recordOf(verifications),
    updatedAt: sql`coalesce(${verifications.acceptedAt}, ${verifications.createdAt})`,
    parties: [applicant.accountId],
    permissions: ([owner = '']) => [grants.readBy(owner), ...grants.decidedByAdmins],
    attributes: {
      userId: attribute('string', verifications.userId, { indexed: true }),
      creator: person(verifications.userId, 'applicant', { indexed: true }),
      idFront: picture,
      idFrontId: attribute('string', verifications.idFrontId),
      idBack: picture,
      idBackId: attribute('string', verifications.idBackId),
      photo: picture,
      photoId: attribute('string', verifications.photoId),
      address: attribute('string', verifications.address),
      valid: attribute('boolean', verifications.valid, { indexed: true }),
    },
  },
  readable: { list: verificationListedFor, one: verificationVisibleTo },
  announced: false,
  create: creation({
    fields: z.strictObject({
      ...VerificationForm.shape,
      ...{ idFront: derivedByServer, idBack: derivedByServer, photo: derivedByServer },
    }),
    sets: ({ profileId }) => ({ userId: profileId, creator: profileId, valid: null }),
    run: (context, viewer, { data, documentId }) => {
      const { idFrontId, idBackId, photoId, address } = data;
      const form = { idFrontId, idBackId, photoId, address };
      return sendRequest(context, viewer, form, documentId ?? undefined);
    },
    perMinute: 10,
  }),
  update: change({
    fields: z.strictObject({ valid: z.literal(true, 'Can only be set to true.').optional() }),
    run: async (context, viewer, { document: { $id } }) => {
      requireRecentSecondFactor(viewer);
      await acceptRequest(context, viewer, $id);
    },
    perMinute: 30,
  }),
  delete: {
    run: async (context, viewer, { $id }) => {
      requireRecentSecondFactor(viewer);
      await declineRequest(context, viewer, { id: $id });
    },
    perMinute: 30,
  },
};

const StringList = z.array(z.string()).max(10_000);

const ownFriends = sql`from ${friends} where ${friends.ownerId} = ${profiles.id}`;
const friendIds = texts(
  sql`(select json_agg(${friends.friendId} order by ${friends.createdAt} desc) ${ownFriends})`,
);

const ownList = ({ profileId }: Viewer) => eq(profiles.id, profileId);

/**
 * The friend list of each member (§3), under the id of its owner, who alone reads it (§6). It grows by accepted requests;
 * its owner takes friends off it, and deleting it empties it.
 */
export const friendLists: Collection = {
  source: {
    collectionId: 'friendLists',
    table: profiles,
    id: profiles.id,
    createdAt: profiles.createdAt,
    updatedAt: sql`greatest(${profiles.createdAt}, ${profiles.friendsRemovedAt}, (select max(${friends.createdAt}) ${ownFriends}))`,
    parties: [profiles.accountId],
    permissions: ([owner = '']) => [grants.readBy(owner), grants.updateBy(owner), grants.deleteBy(owner)],
    attributes: {
      owner: person(profiles.id, 'owner', { indexed: true }),
      ownerId: attribute('string', profiles.id, { indexed: true }),
      friends: {
        ...friendIds,
        present: (cells, reader) => {
          const ids = StringList.parse(friendIds.present?.(cells, reader));
          return ids.filter((id) => !reader.viewer?.hiddenProfileIds.includes(id));
        },
      },
    },
  },
  readable: { list: ownList, one: ownList },
  announced: false,
  whileUnconfirmed: true,
  create: existing(({ profileId }) => ({ owner: profileId, ownerId: profileId, friends: [] })),
  update: change({
    fields: z.strictObject({ friends: StringList.optional() }),
    run: async (context, viewer, { data: { friends: left }, document }) => {
      if (left === undefined) return;
      const before = StringList.parse(document.friends);
      if (left.some((id) => !before.includes(id))) {
        const fields = { friends: 'Friends are added by accepted requests only.' };
        throw new Problem('document_invalid_structure', { fields });
      }
      const removed = before.filter((id) => !left.includes(id));
      await removeFriends(context, viewer, removed);
    },
    perMinute: 60,
  }),
  delete: {
    run: (context, viewer, document) => removeFriends(context, viewer, StringList.parse(document.friends)),
    perMinute: 60,
  },
};
