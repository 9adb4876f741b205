import * as z from 'zod/mini';
import { calls, get } from './calls.ts';
import { Picture } from './fields.ts';
import { quickSearch } from './limits.ts';
import { Person } from './members/profiles.ts';
import { SearchText } from './posts/posts.ts';

/** A plan as a row of the list. */
export const FoundPlan = z.object({
  id: z.string(),
  title: z.string(),
  /** Pesos. */
  price: z.number(),
  cover: Picture,
  creator: Person,
});
export type FoundPlan = z.infer<typeof FoundPlan>;

/** A post as a row of the list. */
export const FoundPost = z.object({
  id: z.string(),
  /** The beginning of it; may be empty. */
  caption: z.string(),
  picture: Picture,
  creator: Person,
});
export type FoundPost = z.infer<typeof FoundPost>;

export const SearchResults = z.object({
  people: z.array(Person),
  plans: z.array(FoundPlan),
  posts: z.array(FoundPost),
});
export type SearchResults = z.infer<typeof SearchResults>;

/** The search that is open from every screen. */
export const search = calls('/api/search', {
  all: get('/all', {
    summary: `The foremost ${quickSearch.results} people, plans and posts that have all words of a text, as the searches of each find them.`,
    query: z.object({ search: SearchText }),
    reply: SearchResults,
  }),
});
