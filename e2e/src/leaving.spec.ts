import { findViolations, waitUntilDrawn } from './axe.ts';
import { expect, test } from './server-fixture.ts';
import { password } from './steps.ts';

test('a member deletes the account from the settings, is hidden, signs in again and keeps it (§7-api-account-delete)', async ({
  join,
  open,
}) => {
  const [ana, ben] = [await join('Ana'), await join('Ben')];
  const [page, bensPage] = [await open(ana), await open(ben)];
  await page.goto('/');
  await page.getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('link', { name: 'Delete my account' }).click();
  await page.getByLabel('Your password', { exact: true }).fill('not the password');
  await page.getByRole('button', { name: 'Delete my account' }).click();
  await expect(page.getByText('The password is not correct.')).toBeVisible();
  // A wrong password slows the next one down.
  const signInHeading = page.getByRole('heading', { name: 'Login in to your account.' });
  await expect(async () => {
    if (!(await signInHeading.isVisible())) {
      await page.getByLabel('Your password', { exact: true }).fill(password, { timeout: 3_000 });
      await page.getByRole('button', { name: 'Delete my account' }).click({ timeout: 3_000 });
    }
    await expect(signInHeading).toBeVisible({ timeout: 3_000 });
  }).toPass();
  await expect(page.getByText('Your account is hidden', { exact: true })).toBeVisible();

  await bensPage.goto(`/all-users?search=${encodeURIComponent(ana.name)}`);
  await waitUntilDrawn(bensPage);
  await expect(bensPage.getByRole('main').getByRole('link', { name: ana.name })).toHaveCount(0);

  await page.getByLabel('Email', { exact: true }).fill(ana.email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign In' }).click();
  await expect(page.getByRole('heading', { name: /^Your account is deleted on/ })).toBeVisible();
  await page.goto('/explore');
  await expect(page).toHaveURL(/\/leaving$/);
  expect(await findViolations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Keep my account' }).click();
  await expect(page.getByRole('link', { name: 'Settings' })).toBeVisible();

  await bensPage.goto(`/all-users?search=${encodeURIComponent(ana.name)}`);
  await expect(bensPage.getByRole('main').getByRole('link', { name: ana.name }).first()).toBeVisible();
});
