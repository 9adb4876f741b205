import { pageSize } from '@tara/contract/limits';
import type { BlockedMember, MutedMember } from '@tara/contract/members/blocks';
import type { PageOf } from '@tara/contract/page';
import { and, eq, getTableColumns } from 'drizzle-orm';
import { readPage } from '../../platform/cursor.ts';
import type { Database } from '../../platform/database/connect.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import { conversations, isPair } from '../conversations/index.ts';
import { files, pictureColumns } from '../files/index.ts';
import { personColumns, presentPerson, profiles } from '../profiles/index.ts';
import { blocks, mutes, visibleTo } from '../visibility/index.ts';

/** The members whom the viewer blocked, last blocked first, 20 a page: the name at that time, and the pair key. */
export async function blockedMembers(
  database: Database,
  viewer: Viewer,
  cursor: string | undefined,
): Promise<PageOf<BlockedMember>> {
  return readPage(cursor, {
    size: pageSize.blocks,
    sortedBy: { time: blocks.createdAt, id: blocks.blockedId },
    query: database
      .select({ ...getTableColumns(blocks), mixId: conversations.mixId })
      .from(blocks)
      .leftJoin(conversations, isPair(blocks.blockerId, blocks.blockedId)),
    where: eq(blocks.blockerId, viewer.profileId),
    present: ({ blockedId, blockedName, mixId, createdAt }) => ({
      id: blockedId,
      name: blockedName,
      mixId,
      blockedAt: createdAt.toISOString(),
    }),
    toCursor: ({ blockedId, createdAt }) => ({ at: createdAt, id: blockedId }),
  });
}

/** The members whom the viewer muted, last muted first, 20 a page. */
export async function mutedMembers(
  database: Database,
  viewer: Viewer,
  cursor: string | undefined,
): Promise<PageOf<MutedMember>> {
  return readPage(cursor, {
    size: pageSize.blocks,
    sortedBy: { time: mutes.createdAt, id: mutes.mutedId },
    query: database
      .select({
        mute: getTableColumns(mutes),
        person: personColumns(profiles),
        picture: pictureColumns(files),
      })
      .from(mutes)
      .innerJoin(profiles, eq(profiles.id, mutes.mutedId))
      .leftJoin(files, eq(files.id, profiles.imageId)),
    where: and(eq(mutes.muterId, viewer.profileId), visibleTo(viewer, mutes.mutedId)),
    present: ({ mute, person, picture }) => ({
      ...presentPerson(person, picture),
      mutedAt: mute.createdAt.toISOString(),
    }),
    toCursor: ({ mute }) => ({ at: mute.createdAt, id: mute.mutedId }),
  });
}
