import { type AnyRoute, createMemoryHistory, isRedirect } from '@tanstack/react-router';
import { expect, test } from 'vitest';
import { createAppRouter } from '../router.ts';
import { sampleSession } from '../testing/samples.ts';
import { stubServer } from '../testing/stub-server.ts';

const server = stubServer();

/** What a screen and the groups around it check before they open, the outermost first. */
function guardsOf(route: AnyRoute): ((guarded: object) => unknown)[] {
  const { beforeLoad } = route.options;
  return [...(route.parentRoute ? guardsOf(route.parentRoute) : []), ...(beforeLoad ? [beforeLoad] : [])];
}

/** Whether a screen opens for who is signed in. */
async function opens(route: AnyRoute, guarded: object): Promise<boolean> {
  try {
    for (const guard of guardsOf(route)) await guard(guarded);
    return true;
  } catch (thrown) {
    if (!isRedirect(thrown)) throw thrown;
    return false;
  }
}

test('a member opens every screen but those of admins, and what is their own (§6-member)', async () => {
  const session = sampleSession('Ana');
  server.answer('GET /api/account/session', 200, session);
  const own = {
    ...{ location: { href: '/', search: {} }, params: { id: session.profile.id } },
    context: { session },
  };
  const { routesById } = createAppRouter({ history: createMemoryHistory() });
  const screens = (Object.values(routesById) as unknown as AnyRoute[]).filter(
    ({ id, children }) => id.startsWith('/_main/') && children === undefined,
  );
  const closed: string[] = [];
  for (const route of screens) if (!(await opens(route, own))) closed.push(route.id);
  const isForAdmins = (id: string) => /^\/_main\/(_admin\/|second-factor$)/.test(id);
  const ids = screens.map(({ id }) => id);
  expect(closed.toSorted()).toEqual(ids.filter(isForAdmins).toSorted());
  expect(closed).not.toEqual([]);
  expect(closed.length).toBeLessThan(ids.length);
});
