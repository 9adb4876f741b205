import { profiles } from '@tara/contract/members/profiles';
import { plans } from '@tara/contract/plans/plans';
import { posts } from '@tara/contract/posts/posts';
import { waitUntilDrawn } from './axe.ts';
import { photo } from './photos.ts';
import { expect, test } from './server-fixture.ts';
import type { Person } from './steps.ts';

/** A post with a photo, made through the API. */
async function publish({ client }: Person, caption: string, tags = '', location = '') {
  const { $id: imageId } = await client.upload('images', await photo(caption.length));
  return client.call(posts.create, { body: { caption, tags, location, imageId } });
}

const word = () => `w${Math.random().toString(36).slice(2, 10)}`;

test('a search replaces the popular posts, and its address brings it back (§2-search-replaces)', async ({
  join,
  open,
}) => {
  const kai = await join('Kai');
  const reef = word();
  await publish(kai, `Morning at the ${reef}`);
  await publish(kai, 'Somewhere else');
  const page = await open(kai);
  await page.goto('/explore');
  await expect(page.getByRole('heading', { name: 'Popular Today' })).toBeVisible();
  const search = page.getByRole('searchbox');
  await search.fill(reef.slice(0, -1).toUpperCase());
  await expect(page.getByText('1 post found')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Popular Today' })).toHaveCount(0);
  const tile = page.getByRole('main').getByRole('link', { name: /Morning at the/ });
  await tile.click();
  await expect(page.getByRole('heading', { name: /^Post by Kai/ })).toBeAttached();
  await page.goBack();
  await expect(tile).toBeVisible();
  await expect(search).toHaveValue(reef.slice(0, -1).toUpperCase());
  await search.fill('');
  await expect(page.getByRole('heading', { name: 'Popular Today' })).toBeVisible();
});

test('tags and places lead to their search', async ({ join, open }) => {
  const kai = await join('Kai');
  const [tag, place] = [word(), word()];
  const { id } = await publish(kai, 'A day out', tag, `${place}, Cebu`);
  const page = await open(kai);
  for (const name of [`#${tag}`, `Posts from ${place}, Cebu`]) {
    await page.goto(`/post/${id}`);
    await page.getByRole('link', { name }).click();
    await expect(page.getByText('1 post found')).toBeVisible();
  }
});

test('a post is saved, is in the list, and is taken off it (§2-saved-grid, §4-save)', async ({
  join,
  open,
}) => {
  const [kai, lia] = [await join('Kai'), await join('Lia')];
  const { id } = await publish(kai, 'To keep');
  const page = await open(lia);
  await page.goto('/saved');
  await expect(page.getByText('Nothing is saved yet')).toBeVisible();
  await page.goto(`/post/${id}`);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Saved' })).toBeVisible();
  await expect.poll(async () => (await lia.client.call(posts.saved)).items.length).toBe(1);
  await page.goto('/saved');
  await page.getByRole('link', { name: /To keep/ }).click();
  await page.getByRole('button', { name: 'Saved' }).click();
  await expect(page.getByRole('button', { name: 'Save', exact: true })).toBeVisible();
  await expect.poll(async () => (await lia.client.call(posts.saved)).items.length).toBe(0);
  await page.getByRole('link', { name: 'Saved' }).first().click();
  await expect(page.getByText('Nothing is saved yet')).toBeVisible();
});

test('the creator sees who likes a post; others do not', async ({ join, open }) => {
  const [kai, lia] = [await join('Kai'), await join('Lia')];
  const { id } = await publish(kai, 'Liked');
  await lia.client.call(posts.like, { body: { postId: id } });
  const page = await open(kai);
  await page.goto(`/post/${id}`);
  await page.getByRole('link', { name: '1 like: see who likes it' }).click();
  await expect(page.getByRole('main').getByRole('link', { name: lia.name })).toBeVisible();
  const other = await open(lia);
  await other.goto(`/post/${id}/likes`);
  await expect(other.getByText('You are not allowed to view this').first()).toBeVisible();
});

test('plans are found by words, place, price and day, and the address brings the filter back', async ({
  joinVerified,
  open,
}) => {
  const [ana, ben] = [await joinVerified('Ana'), await joinVerified('Ben')];
  const [reef, place] = [word(), word()];
  const { $id: imageId } = await ana.client.upload('images', await photo(3));
  const form = { desc: '', time: '', terms: 'Meet in a public place.', place: `${place}, Cebu` };
  const title = `Dive ${reef}`;
  await ana.client.call(plans.create, { body: { ...form, title, price: 950, imageId } });
  const page = await open(ben);
  await page.goto('/explore');
  await page.getByRole('searchbox').fill(reef);
  const plan = page.getByRole('main').getByRole('link', { name: title });
  await expect(plan).toBeVisible();
  await page.getByRole('group', { name: 'Filter' }).getByText('Plans').click();
  await page.getByRole('searchbox').fill('');
  await page.getByRole('button', { name: 'Where' }).click();
  await page.getByLabel('Place').fill(place);
  await page.getByRole('button', { name: 'Price' }).click();
  await page.getByLabel('Price up to').fill('949');
  await expect(page.getByText('No plan matches')).toBeVisible();
  await page.getByLabel('Price up to').fill('₱1,000');
  await page.getByRole('button', { name: 'When' }).click();
  await page.getByLabel('Day').fill('2031-05-10');
  await expect(plan).toBeVisible();
  await expect(page).toHaveURL(/place=.*day=2031-05-10/);
  await plan.click();
  await expect(page.getByRole('heading', { name: title })).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('button', { name: 'Price: Up to ₱1,000' })).toBeVisible();
  await expect(plan).toBeVisible();
});

test('people are found by hobby, with every word', async ({ join, open }) => {
  const [kai, lia] = [await join('Kai'), await join('Lia')];
  const hobby = word();
  const empty = { bio: '', gender: '', lookingFor: '', workingAs: '', education: '', phoneNumber: '' };
  await lia.client.call(profiles.updateAbout, {
    body: { ...empty, birthDate: '', hobby: `Bouldering and ${hobby}` },
  });
  const page = await open(kai);
  await page.goto('/all-users');
  await page.getByRole('searchbox').fill(`lia ${hobby}`);
  await expect(page.getByText('1 person found')).toBeVisible();
  await expect(page.getByRole('main').getByRole('link', { name: lia.name })).toBeVisible();
});

test('on a phone a double tap likes a picture, one tap opens it, and the viewer enlarges it (§2-viewer, §2-viewer-tap)', async ({
  join,
  openNew,
}) => {
  const [kai, lia] = [await join('Kai'), await join('Lia')];
  const { id } = await publish(kai, 'Tap me');
  const page = await openNew(lia, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  await page.clock.install();
  await page.goto(`/post/${id}`);
  const picture = page.getByRole('button', { name: 'Open the picture full screen' });
  await expect(picture).toBeVisible();
  await waitUntilDrawn(page);
  const box = await picture.boundingBox();
  if (!box) throw new Error('The picture has no place.');
  const tap = () => page.touchscreen.tap(box.x + box.width / 2, box.y + box.height / 2);
  // Two taps are a double tap however long the machine takes between them.
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 1000));
  await tap();
  await tap();
  await page.clock.resume();
  await expect(page.getByRole('button', { name: 'Like, 1 like', pressed: true })).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await tap();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('img')).toBeVisible();
  const width = async () => (await dialog.getByRole('img').boundingBox())?.width ?? 0;
  expect(Math.round(await width())).toBe(390);
  await dialog.getByRole('button', { name: 'Zoom in' }).click();
  await expect.poll(width).toBeGreaterThan(600);
  await dialog.getByRole('button', { name: 'Zoom out' }).click();
  await expect.poll(async () => Math.round(await width())).toBe(390);
  await page.touchscreen.tap(20, 800);
  await expect(dialog).toHaveCount(0);
});
