import { profiles } from '@tara/contract/members/profiles';
import { findViolations } from './axe.ts';
import { smallPhoto } from './photos.ts';
import { expect, test } from './server-fixture.ts';

test('an invitation shows the face of its member until it is ended', async ({ join, open }) => {
  const host = await join('Lena Luna');
  const { $id: imageId } = await host.client.upload('images', await smallPhoto(3));
  const { id } = await host.client.call(profiles.updatePicture, { body: { imageId } });
  const page = await open(host);
  await page.goto(`/profile/${id}`);
  await page.getByRole('button', { name: 'Invite friends' }).click();
  const dialog = page.getByRole('dialog', { name: 'Invite friends' });
  await dialog.getByRole('button', { name: 'Make my link' }).click();
  const link = dialog.getByLabel('Your invitation');
  await expect(link).toHaveValue(/\/invite\/[a-z0-9]{20}$/);
  expect(await findViolations(page)).toEqual([]);
  const url = await link.inputValue();
  expect(url).not.toContain(id);

  const stranger = await open(null, { viewport: { width: 390, height: 844 } });
  const response = await stranger.goto(url);
  expect(response?.headers()).toMatchObject({ 'x-robots-tag': 'noindex, nofollow' });
  await expect(stranger.getByRole('heading', { name: 'Lena invites you to Tara' })).toBeVisible();
  await expect
    .poll(() => stranger.locator('main img').evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBeGreaterThan(0);
  const content = await stranger.content();
  for (const secret of [id, imageId, host.name.split(' ').slice(1).join(' ')])
    expect(content).not.toContain(secret);
  expect(await findViolations(stranger)).toEqual([]);

  // The same in the settings.
  await page.goto('/settings');
  await page.getByRole('button', { name: 'Invite friends' }).click();
  await expect(link).toHaveValue(url);
  await dialog.getByRole('button', { name: 'End this link' }).click();
  await page.getByRole('button', { name: 'End it' }).click();
  await expect(dialog.getByRole('button', { name: 'Make my link' })).toBeVisible();

  await stranger.reload();
  await expect(stranger.getByRole('heading', { name: 'This invitation has ended' })).toBeVisible();
  await stranger.getByRole('link', { name: 'Join Tara' }).click();
  await expect(stranger.getByRole('heading', { name: 'Create your account' })).toBeVisible();
});
