import { createMemoryHistory } from '@tanstack/react-router';
import { allCalls } from '@tara/contract/all';
import { pages, resolveReads } from '@tara/contract/pages';
import { callUrl } from '@tara/contract/url';
import { expect, test, vi } from 'vitest';
import { createAppRouter } from '../router.ts';
import { sampleSession } from '../testing/samples.ts';
import { stubServer } from '../testing/stub-server.ts';
import { queryClient } from './queries.ts';

const server = stubServer();

const session = sampleSession('Ana');
/** The pair key of a conversation of the viewer. */
const search = { mixId: `${session.account.id}other` };

/** The loaders of all routes, by the path of the page: `/post/:id`. */
const loaders = new Map(
  Object.values(createAppRouter({ history: createMemoryHistory() }).routesById).flatMap(
    ({ fullPath, options }) =>
      options.loader === undefined
        ? []
        : [
            [
              // A layout without a path and the last slash of an index are no part of it.
              fullPath.replaceAll('$', ':').replace(/(?<=.)\/$/, ''),
              options.loader as unknown as (at: object) => Promise<unknown>,
            ] as const,
          ],
  ),
);

test('the pages are the routes with a loader, but for those that guests see', () => {
  // The session, a shared plan, public links and the links of emails: nothing is asked for early with a guest's page.
  expect([...loaders.keys()].toSorted()).toEqual(
    [
      ...Object.keys(pages),
      '/confirming',
      '/shared-plan',
      '/invite/:id',
      '/plan/:id',
      '/unsubscribe/:token',
    ].toSorted(),
  );
});

test.each(Object.keys(pages) as (keyof typeof pages)[])(
  'the loader of %s makes the first reads of the page',
  async (path) => {
    // Each record is the viewer's own: the chat of a plan is of those whose ids its own begins with.
    const params = Object.fromEntries(
      [...path.matchAll(/:(\w+)/g)].map(([, name]) => [name, session.profile.id]),
    );
    const location = { href: path, search, state: {} };
    // What the stub refuses: reads that depend on a reply are not first.
    await loaders
      .get(path)?.({ params, location, context: { session } })
      .catch(() => undefined);
    await vi.waitFor(() => expect(queryClient.isFetching()).toBe(0));
    const reads = resolveReads(path, allCalls, params, search).map(
      ({ call, isOptional: _, ...where }) => `GET ${callUrl(call, where)}`,
    );
    expect(reads).not.toEqual([]);
    expect(server.requests.map(({ line }) => line).toSorted()).toEqual(reads.toSorted());
  },
);
