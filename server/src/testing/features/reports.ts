import { type ReportKind, reports } from '@tara/contract/members/reports';
import { desc, eq } from 'drizzle-orm';
import { expect } from 'vitest';
import { accountLimits, accountRoutes } from '../../features/accounts/index.ts';
import { blockRoutes } from '../../features/blocks/index.ts';
import { conversationRoutes } from '../../features/conversations/index.ts';
import { planRoutes } from '../../features/plans/index.ts';
import { postRoutes, posts } from '../../features/posts/index.ts';
import { reportRoutes, reports as rows } from '../../features/reports/index.ts';
import { newId } from '../../platform/ids.ts';
import { serverTest } from '../test.ts';
import { chatRoutes } from './chats.ts';
import { insertMember, type Member } from './members.ts';

/** A test with an admin who decides reports, members, and what they report. */
export const reportTest = () =>
  serverTest((app, platform) => {
    accountRoutes(app, platform, accountLimits(false));
    blockRoutes(app, platform);
    postRoutes(app, platform);
    planRoutes(app, platform);
    reportRoutes(app, platform);
    chatRoutes(app, platform);
    conversationRoutes(app, platform);
  })
    .extend('admin', { scope: 'file' }, ({ database }) => insertMember(database, { admin: true }))
    .extend('members', { scope: 'file' }, ({ database }) => async () => ({
      ana: await insertMember(database, { name: 'Ana' }),
      ben: await insertMember(database, { name: 'Ben', bio: 'Surfs at dawn' }),
    }))
    .extend('publish', { scope: 'file' }, ({ database }) => async (creator: Member) => {
      const id = newId();
      await database
        .insert(posts)
        .values({ id, creatorId: creator.profileId, usedDp: true, caption: 'Rude' });
      return id;
    })
    /** Reports a record as a member, and returns the id of the report. */
    .extend('report', { scope: 'file' }, ({ server, database }) => {
      return async (who: Member, kind: ReportKind, recordId: string) => {
        const body = { kind, recordId, reason: 'spam', detail: '' };
        expect((await server.call(who, reports.create, { body })).reply).toEqual({ status: 'ok' });
        const [row] = await database
          .select({ id: rows.id })
          .from(rows)
          .where(eq(rows.reporterId, who.profileId))
          .orderBy(desc(rows.createdAt))
          .limit(1);
        return row?.id ?? '';
      };
    });
