import { quickSearch } from '@tara/contract/limits';
import { pesos } from '@tara/contract/plans/plans';
import { search as calls, type SearchResults } from '@tara/contract/search';
import { sql } from 'drizzle-orm';
import type { FastifyInstance } from 'fastify';
import type { Database } from '../../platform/database/connect.ts';
import { prepareSql } from '../../platform/database/prepared.ts';
import { serve } from '../../platform/http/serve.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import type { Platform } from '../../platform/platform.ts';
import { initialsPicture, type PictureRow, presentPicture } from '../files/index.ts';
import { type ForemostPlan, foremostPlans } from '../plans/index.ts';
import { type ForemostPost, foremostPosts } from '../posts/index.ts';
import { foremostPeople, type PersonRow, presentPerson } from '../profiles/index.ts';
import { visibilityValues } from '../visibility/index.ts';

interface ResultRow {
  people: { person: PersonRow; picture: PictureRow | null }[];
  plans: ForemostPlan[];
  posts: ForemostPost[];
}

const nothing: ResultRow = { people: [], plans: [], posts: [] };

/** The foremost people, plans and posts for a text, each as its own search finds them, in one prepared statement. */
function openSearch(database: Database): (viewer: Viewer, search: string) => Promise<SearchResults> {
  const { results } = quickSearch;
  const find = prepareSql<ResultRow>(
    database,
    'search_all',
    sql`select ${foremostPeople(results)} as people, ${foremostPlans(results)} as plans,
      ${foremostPosts(results)} as posts`,
  );
  return async (viewer, search) => {
    const [row = nothing] = await find({ viewer: viewer.profileId, ...visibilityValues(viewer), search });
    return {
      people: row.people.map(({ person, picture }) => presentPerson(person, picture)),
      plans: row.plans.map(({ id, title, priceCentavos, creator, creatorPicture, cover }) => ({
        ...{ id, title, price: pesos(priceCentavos) },
        cover: cover ? presentPicture(cover) : initialsPicture(title),
        creator: presentPerson(creator, creatorPicture),
      })),
      posts: row.posts.map(({ id, caption, creator, creatorPicture, picture }) => ({
        ...{ id, caption },
        picture: picture ? presentPicture(picture) : initialsPicture(creator.name),
        creator: presentPerson(creator, creatorPicture),
      })),
    };
  };
}

/** Binds the search that is open from every screen. */
export function searchRoutes(app: FastifyInstance, { database }: Pick<Platform, 'database'>): void {
  const find = openSearch(database);
  serve(app, calls.all, ({ viewer, query }) => find(viewer, query.search), { perMinute: 60 });
}
