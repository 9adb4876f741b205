import { accounts } from '@tara/contract/accounts/accounts';
import { conversations } from '@tara/contract/messages/conversations';
import { waitUntilDrawn } from './axe.ts';
import { expect, test } from './server-fixture.ts';

const conversation = '/api/message/conversation/:mixId?pages=10';

/** What is read again when the socket of its changes is open. */
const live = new Set([
  ...['/api/post/feed', '/api/plan/manager', '/api/plan/interactions/history', '/api/message/conversations'],
  conversation,
]);

/** The main screens with what each reads first, `:id` being the member's own and `:mixId` that of a conversation. */
const screens: Array<[path: string, calls: string[]]> = [
  ['/', ['/api/post/feed']],
  ['/explore', ['/api/post/popular']],
  ['/all-users', ['/api/profile/people']],
  ['/saved', ['/api/post/saved']],
  ['/manage-plans', ['/api/plan/manager']],
  ['/chats', ['/api/message/conversations']],
  ['/chats/chat?mixId=:mixId', [conversation]],
  ['/create-post', []],
  ['/settings', ['/api/account/settings', '/api/message/settings', '/api/account/personalData']],
  ['/settings/blocked', ['/api/visibility/blocked', '/api/visibility/muted']],
  ['/update-profile', []],
  ['/verifying-identity', ['/api/verification/usualTime']],
  ['/welcome', ['/api/plan/search', '/api/profile/people', '/api/verification/usualTime']],
  ['/profile/:id', ['/api/profile/one/:id', '/api/post/by/:id', '/api/plan/by/:id']],
  ['/profile/plans/:id', ['/api/plan/by/:id']],
  ['/profile/history/:id', ['/api/plan/interactions/history']],
  ['/profile/create-plans/:id', []],
];

for (const [path, calls] of screens) {
  test(`the first load of ${path} asks for its code and data by the page’s header, and for the data once`, async ({
    demo,
    demoPerson,
    openNew,
  }) => {
    const ana = await demoPerson('ana');
    const { profile } = await ana.client.call(accounts.session);
    const [chat] = (await ana.client.call(conversations.list, { query: {} })).items;
    const own = (address: string) => address.replace(':id', profile.id).replace(':mixId', chat?.mixId ?? '');
    const page = await openNew(ana, { viewport: { width: 390, height: 844 } });
    const response = await page.goto(demo.url + own(path));
    await waitUntilDrawn(page);
    await page.waitForLoadState('load');
    const entries = await page.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .map((entry) => entry.toJSON() as PerformanceResourceTiming & { name: string }),
    );
    const header = response?.headers().link ?? '';
    const named = [...header.matchAll(/<([^>]+[.]js)>; rel=modulepreload/g)].map(
      ([, file]) => demo.url + file,
    );
    expect(named.length).toBeGreaterThan(4);
    for (const file of named) {
      const loaded = entries.filter(({ name }) => name === file);
      // Asked for by the header: none waits for another that imports it.
      expect(
        loaded.map(({ initiatorType }) => initiatorType),
        file,
      ).toEqual(['link']);
    }
    for (const call of ['/api/account/session', ...calls]) {
      const [first, ...later] = entries.filter(({ name }) => name === demo.url + own(call));
      // Asked for by the page's header while the code loads, and taken over by the app.
      expect(first?.initiatorType, call).toBe('link');
      // Live lists compare themselves with the server again, once they receive changes.
      if (!live.has(call)) expect(later, call).toEqual([]);
    }
  });
}
