import type { Page } from '@playwright/test';
import { posts } from '@tara/contract/posts/posts';
import { beginConversation, writeTo } from './chats.ts';
import { expectStored, storeApp, storedKeys } from './people.ts';
import { expect, test } from './server-fixture.ts';

/** A page that stores the app, as a phone does. */
const phone = { serviceWorkers: 'allow', viewport: { width: 390, height: 844 } } as const;

const quickPost = (page: Page) => page.getByRole('textbox', { name: 'Quick post' });
/** The guest's first field. */
const signIn = (page: Page) => page.getByLabel('Password', { exact: true });
const offlineBar = (page: Page) => page.getByText('You are offline: what you see may be older');

test('the stored app starts without a network, with the screens that were seen before', async ({
  join,
  openNew,
}) => {
  const page = await openNew(await join('Ana'), phone);
  await page.goto('/');
  await expect(quickPost(page)).toBeVisible();
  await storeApp(page);
  const screens = [
    ['/', quickPost(page), 'feed'],
    ['/chats', page.getByRole('heading', { level: 1, name: 'Messages' }), '"/api/message","list"'],
    ['/all-users', page.getByRole('heading', { level: 1, name: 'Find Friends' }), 'people'],
    ['/explore', page.getByRole('heading', { level: 1, name: 'Search Post' }), 'popular'],
    ['/manage-plans', page.getByRole('heading', { level: 1, name: 'Plan Manager' }), 'manager'],
  ] as const;
  for (const [path, mark, stored] of screens) {
    await page.goto(path);
    await expect(mark, path).toBeVisible();
    await expectStored(page, stored);
  }

  await page.context().setOffline(true);
  for (const [path, mark] of screens) {
    await page.goto(path);
    await expect(mark, path).toBeVisible();
    await expect(offlineBar(page), path).toBeVisible();
  }
  await page.goto('/earnings');
  await expect(page.getByRole('heading', { level: 1, name: 'You seem to be offline' })).toBeVisible();

  await page.context().setOffline(false);
  await expect(page.getByRole('heading', { level: 1, name: 'Earnings' })).toBeVisible();
  await expect(offlineBar(page)).toBeHidden();
});

test('a stopped server leaves the stored app on screen', async ({ join, openNew, tara }) => {
  const page = await openNew(await join('Ben'), phone);
  await page.goto('/');
  await expect(quickPost(page)).toBeVisible();
  await storeApp(page);
  await page.reload();
  await expect(quickPost(page)).toBeVisible();
  await expectStored(page, 'feed');
  await tara.kill();
  await page.reload();
  await expect(quickPost(page)).toBeVisible();
  await expect(offlineBar(page)).toBeVisible();
  await tara.start();
  await expect(offlineBar(page)).toBeHidden({ timeout: 45_000 });
});

test('of two accounts on one phone none finds what the other saw: sign-out, an ended session, another sign-in', async ({
  join,
  openNew,
}) => {
  const [ana, ben] = [await join('Ana'), await join('Ben')];
  const page = await openNew(ana, phone);
  const see = async () => {
    await page.goto('/');
    await expect(quickPost(page)).toBeVisible();
    await page.goto('/settings');
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await page.goto('/');
    await expect(quickPost(page)).toBeVisible();
    await expectStored(page, 'feed');
  };
  await see();
  await storeApp(page);
  const keysAfterAna = await storedKeys(page);
  expect(keysAfterAna.filter((key) => /settings|Sessions|personalData/.test(key))).toEqual([]);
  const [anasId = ''] = (keysAfterAna[0] ?? '').split(' ');
  expect(keysAfterAna.every((key) => key.startsWith(`${anasId} `))).toBe(true);

  // Another member signs in while the session of the first one is not ended.
  await page.context().addCookies(ben.client.browserCookies);
  await see();
  expect((await storedKeys(page)).filter((key) => key.startsWith(anasId))).toEqual([]);
  await expectStored(page, 'feed');

  // The session ends elsewhere.
  await page.context().clearCookies();
  await page.goto('/');
  await expect(signIn(page)).toBeVisible();
  await expect.poll(() => storedKeys(page)).toEqual([]);

  await page.context().addCookies(ana.client.browserCookies);
  await see();
  await page.getByRole('button', { name: 'Your profile and settings' }).click();
  await page.getByRole('button', { name: 'Log out' }).click();
  await expect(signIn(page)).toBeVisible();
  expect(await storedKeys(page)).toEqual([]);
  await page.context().setOffline(true);
  await page.goto('/');
  await expect(page.getByRole('heading', { level: 1, name: 'You seem to be offline' })).toBeVisible();
});

test('a message and a like made without a network wait, also while the app is closed, and are sent', async ({
  join,
  openNew,
}) => {
  const [ana, ben] = [await join('Ana'), await join('Ben')];
  const { id, path } = await beginConversation(ana, ben);
  await writeTo(ana, id, 'Tara!');
  await writeTo(ben, id, 'When?');
  const post = await ben.client.call(posts.quick, { body: { caption: 'Sunset at the bay' } });
  let page = await openNew(ana, phone);
  await page.goto(`/post/${post.id}`);
  await expect(page.getByRole('button', { name: 'Like, 0 likes' })).toBeVisible();
  await expectStored(page, post.id);
  await page.goto(path);
  await expect(page.getByText('When?')).toBeVisible();
  await storeApp(page);
  await page.reload();
  await expect(page.getByText('When?')).toBeVisible();
  await expectStored(page, '"conversation"');
  const context = page.context();

  await context.setOffline(true);
  await page.getByRole('textbox', { name: 'Message' }).fill('On Sunday');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Waiting for the network')).toBeVisible();
  await page.goto(`/post/${post.id}`);
  await page.getByRole('button', { name: 'Like, 0 likes' }).click();
  await expect(page.getByRole('button', { name: /1 like/ })).toBeVisible();
  await expect(page.getByText('You are offline: 2 waiting to be sent')).toBeVisible();
  await page.close();

  page = await context.newPage();
  await page.goto(`/post/${post.id}`);
  await expect(page.getByRole('button', { name: /1 like/ })).toBeVisible();
  await page.goto(path);
  await expect(page.getByText('On Sunday')).toBeVisible();
  await context.setOffline(false);
  await expect(page.getByText('Waiting for the network')).toBeHidden();
  await expect(page.getByText('You are offline')).toHaveCount(0);
  await expect
    .poll(async () => (await ben.client.call(posts.get, { params: { id: post.id } })).totalLikes)
    .toBe(1);
});
