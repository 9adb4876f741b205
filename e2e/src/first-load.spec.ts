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
    const [vendor] = entries.filter(({ name }) => name.includes('/assets/vendor-'));
    const header = response?.headers().link ?? '';
    const named = [...header.matchAll(/<([^>]+[.]js)>; rel=modulepreload/g)].map(
      ([, file]) => demo.url + file,
    );
    expect(named.length).toBeGreaterThan(4);
    for (const file of named) {
      const loaded = entries.filter(({ name }) => name === file);
      // None waits for another that imports it.
      expect(loaded, file).toHaveLength(1);
      expect(loaded[0]?.startTime, file).toBeLessThan(vendor?.responseEnd ?? 0);
    }
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

test('the first sight of the main lists makes no format of Intl, which takes a tenth of a second of a phone', async ({
  demo,
  demoPerson,
  openNew,
}) => {
  const page = await openNew(await demoPerson('ana'), { viewport: { width: 390, height: 844 } });
  await page.addInitScript(() => {
    const used: string[] = [];
    Reflect.set(window, 'usedFormats', used);
    for (const name of ['DateTimeFormat', 'NumberFormat', 'RelativeTimeFormat', 'PluralRules'] as const) {
      const construct = (target: object, args: unknown[]) => {
        used.push(`${name} ${new Error().stack}`);
        return Reflect.construct(target as new () => object, args);
      };
      Reflect.set(Intl, name, new Proxy(Intl[name], { construct }));
    }
  });
  for (const path of ['/', '/explore', '/all-users', '/saved', '/chats']) {
    await page.goto(demo.url + path);
    await waitUntilDrawn(page);
    expect(await page.evaluate(() => Reflect.get(window, 'usedFormats')), path).toEqual([]);
  }
});
