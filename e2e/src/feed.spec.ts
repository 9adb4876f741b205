import { posts } from '@tara/contract/posts/posts';
import { expect, test } from './server-fixture.ts';

test('the feed is at the same post after Back, a reload with newer posts, and a longer absence', async ({
  join,
  open,
}) => {
  const [kai, lia] = [await join('Kai'), await join('Lia')];
  const thought = (index: number) => `Thought ${index} ${'about the sea '.repeat(index % 7)}`;
  for (let index = 0; index < 34; index += 1)
    await kai.client.call(posts.quick, { body: { caption: thought(index) } });
  const page = await open(kai);
  await page.goto('/');
  // On the third page, with cards above that were never laid out after a reload.
  const post = page.getByRole('article').filter({ hasText: /^.*Thought 9 / });
  await expect(async () => {
    // To the end of what is there, wherever that is: a step of fixed length may pass the post.
    await page.getByRole('main').getByRole('article').last().scrollIntoViewIfNeeded();
    await expect(post).toBeAttached({ timeout: 500 });
  }).toPass();
  const place = () => post.evaluate((card) => card.getBoundingClientRect().top);
  const settled = async () => {
    await expect.poll(async () => (await place()) - (await place())).toBe(0);
    return place();
  };
  // Where a click leaves it.
  await post.locator('a[href^="/post/"]').scrollIntoViewIfNeeded();
  const before = await settled();
  const expectSamePlace = async () => {
    await expect(post).toBeInViewport();
    await expect.poll(async () => Math.abs((await place()) - before)).toBeLessThanOrEqual(8);
  };

  // A phone that discards the hidden tab says no more than that it is hidden.
  const stored = await page.evaluate(() => {
    Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
    return sessionStorage.getItem('feed-place');
  });
  expect(JSON.parse(stored ?? '{}').cursors).toHaveLength(3);
  await page.reload();
  await expectSamePlace();
  // More than four pages of news since: they are behind the button.
  for (let index = 0; index < 44; index += 1)
    await lia.client.call(posts.quick, { body: { caption: `News ${index}` } });
  await page.reload();
  await expectSamePlace();
  await expect(page.getByRole('button', { name: 'New posts' })).toBeVisible();
  await post.locator('a[href^="/post/"]').click();
  await expect(page.getByRole('heading', { name: /^Post by Kai/ })).toBeVisible();
  await page.reload();
  await page.goBack();
  await expectSamePlace();
  // Another visit begins at the top.
  await page.goto('/people');
  await page.goto('/');
  await expect(page.getByText('News 43')).toBeInViewport();
});

test('a reload at the top shows the newest posts, also where an unreadable place is stored', async ({
  join,
  open,
}) => {
  const [kai, lia] = [await join('Kai'), await join('Lia')];
  for (let index = 0; index < 14; index += 1)
    await kai.client.call(posts.quick, { body: { caption: `Dream ${index}` } });
  const page = await open(kai);
  await page.goto('/');
  await expect(page.getByText('Dream 13', { exact: true })).toBeInViewport();
  for (let index = 0; index < 3; index += 1)
    await lia.client.call(posts.quick, { body: { caption: `Headline ${index}` } });
  await page.reload();
  await expect(page.getByText('Headline 2', { exact: true })).toBeInViewport();

  // A post of the first page, with more than a page of news since.
  const post = page.getByRole('article').filter({ hasText: 'Dream 11' });
  await post.scrollIntoViewIfNeeded();
  await page.mouse.wheel(0, 200);
  await expect(post).toBeInViewport();
  for (let index = 3; index < 15; index += 1)
    await lia.client.call(posts.quick, { body: { caption: `Headline ${index}` } });
  await page.reload();
  await expect(post).toBeInViewport();

  // A cursor that the server refuses.
  await page.evaluate(() => {
    const place = JSON.parse(sessionStorage.getItem('feed-place') ?? '{}');
    addEventListener('pagehide', () =>
      sessionStorage.setItem('feed-place', JSON.stringify({ ...place, cursors: [null, 'older'] })),
    );
  });
  await page.reload();
  await expect(page.getByRole('article').first()).toBeVisible();
});

test('the feed is where it was after coming back from a post', async ({ join, open }) => {
  const kai = await join('Kai');
  for (let index = 0; index < 12; index += 1)
    await kai.client.call(posts.quick, { body: { caption: `Thought ${index}` } });
  const page = await open(kai);
  await page.goto('/');
  // The last of the first page; further pages come by scrolling.
  const post = page.getByRole('article').filter({ hasText: 'Thought 2' });
  await expect(post).toBeAttached();
  await expect(post).not.toBeInViewport();
  await post.scrollIntoViewIfNeeded();
  await post.locator('a[href^="/post/"]').click();
  await expect(page.getByRole('heading', { name: /^Post by Kai/ })).toBeVisible();
  await page.goBack();
  await expect(post).toBeInViewport();

  await page.evaluate(() => scrollTo(0, 0));
  expect(
    await page.evaluate(() => Reflect.get(window, 'find').call(window, 'Thought 2')),
    'find-in-page',
  ).toBe(true);
});
