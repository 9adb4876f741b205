import { posts } from '@tara/contract/posts/posts';
import { expect, test } from './server-fixture.ts';

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
