import { accounts } from '@tara/contract/accounts/accounts';
import { conversations } from '@tara/contract/messages/conversations';
import { waitUntilDrawn } from './axe.ts';
import { expect, test } from './server-fixture.ts';

const mostScripts = 12;
/** The form of a plan is a file of its own: its two screens share it, and no other loads it. */
const planFormScripts = 13;

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
  ['/verifying-identity', []],
  ['/profile/:id', ['/api/profile/one/:id', '/api/post/by/:id']],
  ['/profile/plans/:id', ['/api/plan/by/:id']],
  ['/profile/history/:id', ['/api/plan/interactions/history']],
  ['/profile/create-plans/:id', []],
];

for (const [path, calls] of screens) {
  test(`the first load of ${path} has few scripts, and asks for its data early and once`, async ({
    demo,
    demoPerson,
    openNew,
  }) => {
    const ana = await demoPerson('ana');
    const { profile } = await ana.client.call(accounts.session);
    const [chat] = (await ana.client.call(conversations.list, { query: {} })).items;
    const own = (address: string) => address.replace(':id', profile.id).replace(':mixId', chat?.mixId ?? '');
    const page = await openNew(ana, { viewport: { width: 390, height: 844 } });
    const scripts: string[] = [];
    page.on('request', (request) => {
      if (request.resourceType() === 'script') scripts.push(request.url());
    });
    await page.goto(demo.url + own(path));
    await waitUntilDrawn(page);
    await page.waitForLoadState('load');
    expect(new Set(scripts).size, scripts.join('\n')).toBeLessThanOrEqual(
      path === '/profile/create-plans/:id' ? planFormScripts : mostScripts,
    );

    const entries = await page.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .map((entry) => entry.toJSON() as PerformanceResourceTiming & { name: string }),
    );
    const [vendor] = entries.filter(({ name }) => name.includes('/assets/vendor-'));
    for (const call of ['/api/account/session', ...calls]) {
      const [first, ...later] = entries.filter(({ name }) => name === demo.url + own(call));
      // Asked for by the page's header while the code loads, and taken over by the app.
      expect(first?.initiatorType, call).toBe('link');
      expect(first?.startTime, call).toBeLessThan(vendor?.responseEnd ?? 0);
      // Live lists compare themselves with the server again, once they receive changes.
      if (!live.has(call)) expect(later, call).toEqual([]);
    }
  });
}
