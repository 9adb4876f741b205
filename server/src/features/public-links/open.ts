import type { Picture } from '@tara/contract/fields';
import { publicLinks as calls, type Invitation, type PublicPlan } from '@tara/contract/members/public-links';
import { pesos } from '@tara/contract/plans/plans';
import { callUrl } from '@tara/contract/url';
import { and, eq, isNull, or, sql } from 'drizzle-orm';
import type { FastifyReply } from 'fastify';
import type { Database } from '../../platform/database/connect.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import type { PageMeta } from '../../platform/http/web.ts';
import type { Platform } from '../../platform/platform.ts';
import { Problem } from '../../platform/problem.ts';
import { accounts, isShownOutside } from '../accounts/index.ts';
import { type FileRow, files, sendOutside } from '../files/index.ts';
import { plans, planVisibleTo } from '../plans/index.ts';
import { presentRating, profiles } from '../profiles/index.ts';
import { publicLinks } from './tables.ts';

/**
 * What a link shows, with its one picture, in one statement. A plan is shown while it takes requests: it is not closed, and its
 * creator is verified.
 */
const linkQuery = (database: Database) =>
  database
    .select({
      planId: publicLinks.planId,
      name: profiles.name,
      title: plans.title,
      priceCentavos: plans.priceCentavos,
      totals: {
        totalReviews: plans.totalReviews,
        totalStars: plans.totalStars,
        totalMeetings: plans.totalMeetings,
      },
      file: files,
    })
    .from(publicLinks)
    .innerJoin(profiles, and(eq(profiles.id, publicLinks.profileId), isNull(profiles.deletedAt)))
    .innerJoin(accounts, and(eq(accounts.id, profiles.accountId), isShownOutside(profiles.id)))
    .leftJoin(plans, eq(plans.id, publicLinks.planId))
    .leftJoin(
      files,
      and(
        eq(
          files.id,
          sql`case when ${publicLinks.planId} is null then ${profiles.imageId} else ${plans.imageId} end`,
        ),
        eq(files.bucket, 'images'),
      ),
    )
    .where(
      and(
        eq(publicLinks.id, sql.placeholder('id')),
        or(
          isNull(publicLinks.planId),
          and(isNull(plans.removedAt), isNull(plans.closedAt), eq(profiles.verified, true)),
        ),
      ),
    )
    .prepare('public_link_open');

/** The first of a member's names. */
const firstName = (name: string) => name.trim().split(/\s+/)[0] ?? '';

/** The picture of a link by the link's own address: nothing of the file is in it that leads anywhere else. */
const presentPicture = (id: string, file: FileRow | null, alt: string): Picture | null =>
  file && {
    imageId: null,
    imageUrl: callUrl(calls.picture, { params: { id } }),
    width: file.width,
    height: file.height,
    widths: [],
    thumbhash: file.thumbhash,
    alt,
  };

/** The reads of what anybody sees by a link, prepared once. */
export function openReads({ database, files }: Pick<Platform, 'database' | 'files'>) {
  const find = linkQuery(database);
  return {
    /** @throws Problem `invitation_not_found` for an unknown, ended or hidden one, alike. */
    async invitation(id: string): Promise<Invitation> {
      const [row] = await find.execute({ id });
      if (!row || row.planId !== null) throw new Problem('invitation_not_found');
      const name = firstName(row.name);
      return { firstName: name, picture: presentPicture(id, row.file, name) };
    },
    /** @throws Problem `plan_link_not_found` for an unknown, ended or hidden one, alike. */
    async plan(id: string): Promise<PublicPlan> {
      const [row] = await find.execute({ id });
      if (!row || row.title === null || row.priceCentavos === null || row.totals === null)
        throw new Problem('plan_link_not_found');
      return {
        title: row.title,
        firstName: firstName(row.name),
        cover: presentPicture(id, row.file, row.title),
        rating: presentRating(row.totals),
        price: pesos(row.priceCentavos),
      };
    },
    /** @throws Problem `plan_link_not_found` */
    async sendPicture(id: string, reply: FastifyReply): Promise<FastifyReply> {
      const [row] = await find.execute({ id });
      return sendOutside({ files }, reply, row?.file, 'plan_link_not_found');
    },
  };
}

/** The plan of a link, for a member who may read it. @throws Problem `plan_link_not_found` */
export async function findPlanId(
  database: Database,
  viewer: Viewer,
  id: string,
): Promise<{ planId: string }> {
  const [row] = await database
    .select({ planId: plans.id })
    .from(publicLinks)
    .innerJoin(plans, eq(plans.id, publicLinks.planId))
    .where(and(eq(publicLinks.id, id), planVisibleTo(viewer)));
  if (!row) throw new Problem('plan_link_not_found');
  return row;
}

/**
 * What the page of a public link says of itself to sites that show links: what the page shows, and nothing where the link has
 * ended. Search engines keep none of them. Null for the path of another page.
 */
export function describePublicLinkPage(platform: Pick<Platform, 'database' | 'files' | 'config'>) {
  const read = openReads(platform);
  const { publicUrl } = platform.config;
  const describe = async (kind: string, id: string): Promise<PageMeta> => {
    if (kind === 'invite') {
      const { firstName, picture } = await read.invitation(id);
      return {
        title: `${firstName} invites you to Tara`,
        description: 'Make friends, and hang out for real.',
        ...(picture && { imageUrl: publicUrl + picture.imageUrl, imageAlt: firstName }),
      };
    }
    const { title, firstName, cover } = await read.plan(id);
    return {
      title: `${title} · Tara`,
      description: `A plan by ${firstName}. Join Tara to book it: the money is held until you have met.`,
      ...(cover && { imageUrl: publicUrl + cover.imageUrl, imageAlt: title }),
    };
  };
  return async (path: string): Promise<PageMeta | null> => {
    const [, kind = '', id = ''] = /^\/(invite|plan)\/([\w.-]{1,36})\/?$/.exec(path) ?? [];
    if (kind === '') return null;
    const meta = await describe(kind, id).catch((error: unknown) => {
      if (error instanceof Problem) return { title: 'This link has ended · Tara' };
      throw error;
    });
    return { ...meta, isPrivate: true };
  };
}
