import { findViolations } from './axe.ts';
import { photo } from './photos.ts';
import { expect, test } from './server-fixture.ts';
import { createPost, password } from './steps.ts';

test('a profile picture is cropped to a square, by the keyboard alone', async ({ join, open }) => {
  const ana = await join('Ana');
  const page = await open(ana);
  await page.goto('/');
  await page.getByRole('link', { name: ana.name }).first().click();
  await page.getByRole('link', { name: 'Change your profile picture' }).click();
  const file = { name: 'me.jpg', mimeType: 'image/jpeg', buffer: await photo(3) };
  const input = page.getByLabel('New profile picture');

  await test.step('a closed dialog uploads nothing', async () => {
    await input.setInputFiles(file);
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Update picture' }).click();
    await expect(page.getByText('Please choose a file.')).toBeVisible();
  });

  await test.step('the chosen part is sent, and shared as a post', async () => {
    await input.setInputFiles(file);
    const picture = page.getByRole('group', { name: /arrow keys/ });
    await expect(picture).toBeVisible();
    expect(await findViolations(page)).toEqual([]);
    const slider = page.getByRole('slider', { name: 'Zoom' });
    await slider.focus();
    await slider.press('ArrowRight');
    await slider.press('ArrowRight');
    await picture.focus();
    const image = page.getByRole('dialog').locator('img');
    const before = await image.getAttribute('style');
    await picture.press('ArrowRight');
    await expect(image).not.toHaveAttribute('style', before ?? '');
    const use = page.getByRole('button', { name: 'Use picture' });
    await use.focus();
    await use.press('Enter');
    await page.getByLabel('Share it as a post').check();
    await page.getByRole('button', { name: 'Update picture' }).click();
    await page.waitForURL(/\/profile\//);
  });

  const reply = await page.request.get('/api/account/session');
  const { width, height } = (await reply.json()).profile.picture;
  expect(width).toBeGreaterThan(0);
  expect(height).toBe(width);
});

test('a guest is redirected to where they wanted to go, and to no other site (§2-guard-guests)', async ({
  join,
  open,
  tara,
}) => {
  const ana = await join('Ana');
  const id = await createPost(ana, 'Shared sunrise');
  const guest = await open(null);

  const signIn = async () => {
    await guest.getByLabel('Email').fill(ana.email);
    await guest.getByLabel('Password', { exact: true }).fill(password);
    await guest.getByRole('button', { name: 'Sign In' }).click();
  };
  const signOut = () => guest.context().clearCookies();
  await guest.goto(`/post/${id}`);
  await guest.waitForURL(
    (url) => url.pathname === '/sign-in' && url.searchParams.get('redirect') === `/post/${id}`,
  );
  await signIn();
  await guest.waitForURL(`**/post/${id}`);
  await expect(guest.getByText('Shared sunrise')).toBeVisible();

  for (const evil of ['https://other.example/', '//other.example', '/\\other.example', '/.//other.example']) {
    await signOut();
    await guest.goto(`/sign-in?redirect=${encodeURIComponent(evil)}`);
    await signIn();
    await guest.waitForURL(`${tara.url}/`);
  }
});
