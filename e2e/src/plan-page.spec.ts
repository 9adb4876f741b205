import { publicLinks } from '@tara/contract/members/public-links';
import { findViolations } from './axe.ts';
import { linkInMail } from './outside.ts';
import { expect, test, uniqueName } from './server-fixture.ts';
import { createPlan, password } from './steps.ts';

const phone = { width: 390, height: 844 };

test('a creator shows a plan in public, and a stranger who joins lands on it', async ({
  joinVerified,
  open,
  openNew,
  tara,
}) => {
  const creator = await joinVerified('Rica Ramos');
  const planId = await createPlan(creator, 'Lantern walk');
  const page = await open(creator, { viewport: phone });
  await page.goto(`/profile/plan-details/${planId}`);
  await page.getByRole('button', { name: 'Public page' }).click();
  const dialog = page.getByRole('dialog', { name: 'Public page' });
  await dialog.getByRole('button', { name: 'Show this plan in public' }).click();
  const link = dialog.getByLabel('Link to the page');
  await expect(link).toHaveValue(/\/plan\/[a-z0-9]{20}$/);
  expect(await findViolations(page)).toEqual([]);
  const url = await link.inputValue();

  const stranger = await openNew(null, { viewport: phone });
  const response = await stranger.goto(url);
  expect(response?.headers()).toMatchObject({ 'x-robots-tag': 'noindex, nofollow' });
  await expect(stranger.getByRole('heading', { name: 'Lantern walk' })).toBeVisible();
  await expect(stranger.getByText('A plan by Rica,')).toBeVisible();
  // The cover is read without a session.
  await expect
    .poll(() =>
      stranger
        .locator('main img')
        .first()
        .evaluate((image: HTMLImageElement) => image.naturalWidth),
    )
    .toBeGreaterThan(0);
  expect(await stranger.content()).not.toContain(creator.name.split(' ')[1] ?? '');
  expect(await findViolations(stranger)).toEqual([]);

  await stranger.getByRole('link', { name: 'Join to book' }).click();
  const email = `${uniqueName('new').replace(' ', '.')}@e2e.test`;
  for (const [label, value] of [
    ['Name', 'Sol Santos'],
    ['Username', 'sol'],
    ['Email', email],
    ['Password', password],
  ] as const)
    await stranger.getByLabel(label, { exact: true }).fill(value);
  for (const box of await stranger.getByRole('checkbox').all()) await box.check();
  await stranger.getByRole('button', { name: 'Submit' }).click();
  await expect(stranger).toHaveURL(/\/confirming/);
  await stranger.goto((await linkInMail(tara, email, '/confirming')).href);
  // The first steps come before, and lead on to the plan.
  await expect(stranger).toHaveURL(/\/welcome$/);
  await stranger.getByRole('link', { name: 'Skip', exact: true }).click();
  await expect(stranger).toHaveURL(/step=about/);
  await stranger.getByRole('link', { name: 'Skip', exact: true }).click();
  await stranger.getByRole('button', { name: 'Go on to the plan' }).click();
  await expect(stranger).toHaveURL(new RegExp(`/profile/plan-details/${planId}`));
  await expect(stranger.getByRole('heading', { name: 'Lantern walk' })).toBeVisible();

  await creator.client.call(publicLinks.revoke, { body: { planId } });
  const other = await open(null, { viewport: phone });
  await other.goto(url);
  await expect(other.getByRole('heading', { name: 'This plan is no longer shown here' })).toBeVisible();
  await expect(other.getByText('Lantern walk')).toBeHidden();
  expect(await findViolations(other)).toEqual([]);
});
