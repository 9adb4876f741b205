import { createPost, likePost } from './people.ts';
import { expect, test } from './server-fixture.ts';

test('a post with a picture reaches the feed of others, and its like the one who posted', async ({
  join,
  open,
}) => {
  const [ana, ben] = [await join('Ana'), await join('Ben')];
  const [anasPage, bensPage] = [await open(ana), await open(ben)];
  const caption = `First morning in Moalboal, by ${ana.name}`;
  await createPost(anasPage, caption);
  await likePost(bensPage, caption);
  await anasPage.reload();
  const own = anasPage.getByRole('article').filter({ hasText: caption });
  await expect(own.getByRole('button', { name: 'Like, 1 like' })).toBeVisible();
});
