import type { BrowserContext, Page } from '@playwright/test';
import { expectStored } from './people.ts';
import { expect, test } from './server-fixture.ts';

const chunks = /\/assets\/.*\.js$/;

/** Blocks the chunks of further screens, as without a network or during a restart of the server. */
const blockChunks = (context: BrowserContext) => context.route(chunks, (route) => route.abort());

/** Counts how often the window was loaded: the app must stay. */
async function countLoads(page: Page): Promise<() => number> {
  let loads = 0;
  page.on('load', () => {
    loads += 1;
  });
  return () => loads;
}

test('a screen whose code cannot be loaded shows an error, and opens by itself later', async ({
  join,
  openNew,
}) => {
  const page = await openNew(await join('Ana'));
  await page.goto('/');
  await expect(page.getByRole('textbox', { name: 'Quick post' })).toBeVisible();
  const loads = await countLoads(page);
  await blockChunks(page.context());

  const failure = page.getByRole('alert').filter({ hasText: 'This page could not be loaded' });
  // One without a loader, and one with.
  for (const name of ['Create Post', 'People']) {
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true }).click();
    await expect(failure).toBeVisible();
    await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible();
  }
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(failure).toBeVisible();

  await page.context().unroute(chunks);
  await expect(page.getByRole('searchbox')).toBeVisible();
  expect(loads(), 'loads of the window').toBe(0);
});

test('a server that starts again leaves the app where it is', async ({ join, openNew, tara }) => {
  const page = await openNew(await join('Ben'));
  await page.goto('/');
  await expect(page.getByRole('textbox', { name: 'Quick post' })).toBeVisible();
  const loads = await countLoads(page);
  await tara.kill();

  await page.getByRole('link', { name: 'People', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible();
  expect(page.url()).toBe(`${tara.url}/all-users`);

  await tara.start();
  await expect(page.getByRole('searchbox')).toBeVisible({ timeout: 45_000 });
  expect(loads(), 'loads of the window').toBe(0);
});

test('without a network a screen that was seen before is there, and another one opens once it is back', async ({
  join,
  openNew,
}) => {
  const page = await openNew(await join('Lia'));
  await page.goto('/all-users');
  const people = page.getByRole('heading', { level: 1, name: 'Find Friends' });
  await expect(people).toBeVisible();
  // The heading is there before the people are.
  await expectStored(page, 'people');
  await page.goto('/');
  await expect(page.getByRole('textbox', { name: 'Quick post' })).toBeVisible();
  await page.context().setOffline(true);

  await page.getByRole('link', { name: 'People', exact: true }).click();
  await expect(people).toBeVisible();
  await expect(page.getByText('You are offline: what you see may be older')).toBeVisible();
  await page.getByRole('link', { name: 'Saved', exact: true }).first().click();
  await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible();
  await page.context().setOffline(false);
  await expect(page.getByRole('heading', { level: 1, name: 'SAVED' })).toBeVisible();
  await expect(page.getByText('You are offline: what you see may be older')).toBeHidden();
});

test('an unknown id, well-formed or not, is not found', async ({ join, open }) => {
  const page = await open(await join('Eve'));
  for (const [path, words] of [
    ['/post/nothing', 'There is no such post.'],
    ['/post/$$$', 'There is no such post.'],
    ['/profile/nobody', 'There is no such member.'],
    [`/profile/${'x'.repeat(40)}`, 'There is no such member.'],
    ['/profile/plan-details/nothing', 'There is no such plan.'],
    ['/profile/plan-details/-', 'There is no such plan.'],
    ['/review-details/nothing', 'There is no such review.'],
    ['/review-details/a b', 'There is no such review.'],
  ] as const) {
    await page.goto(path);
    await expect(page.getByRole('main').getByText(words, { exact: true }).last(), path).toBeVisible();
    await expect(page.getByRole('button', { name: 'Try again' }), path).toBeHidden();
  }
});
