import { person, signUp } from './people.ts';
import { expect, test } from './server-fixture.ts';

test('the feed is where it was after coming back from a post (§2-home)', async ({ browser, tara }) => {
  const kai = await person(browser, tara.url, 'Kai Scroll');
  await signUp(kai);
  const { page } = kai;
  for (let index = 0; index < 12; index += 1) {
    const answer = await page.request.post('/api/post/quick', { data: { caption: `Thought ${index}` } });
    expect(answer.ok()).toBe(true);
  }
  await page.goto('/');
  // The last of the first page; further pages come by scrolling.
  const post = page.getByRole('article').filter({ hasText: 'Thought 2' });
  await expect(post).toBeAttached();
  await expect(post).not.toBeInViewport();
  await post.scrollIntoViewIfNeeded();
  await post.locator('a[href^="/post/"]').click();
  await expect(page.getByRole('button', { name: 'Open the picture full screen' })).toBeVisible();
  await page.goBack();
  await expect(post).toBeInViewport();

  await page.evaluate(() => scrollTo(0, 0));
  expect(
    await page.evaluate(() => Reflect.get(window, 'find').call(window, 'Thought 2')),
    'find-in-page',
  ).toBe(true);
});
