import { notices } from '@tara/contract/notices';
import { findViolations } from './axe.ts';
import { inDatabase } from './outside.ts';
import { expect, test } from './server-fixture.ts';
import { confirmFulfilled, type Person, reachStage, readProfile, readRequest } from './steps.ts';
import type { Tara } from './tara.ts';

/** The provider's test number whose transfers always fail. */
const FAILING_NUMBER = '999999990002';

/** As if the number had been there since long ago. */
const setNumber = async (tara: Tara, person: Person, number: string) => {
  const { id } = await readProfile(person);
  await inDatabase(tara, async (sql) => {
    await sql`update profiles set phone_number = ${number}, payout_number_from = null where id = ${id}`;
  });
};

test('a payout without a number waits for the creator, who names one, and arrives', async ({
  tara,
  joinVerified,
  admin,
  open,
}) => {
  const [creator, client] = [await joinVerified('Nena'), await joinVerified('Nilo')];
  const { requestId } = await reachStage({ creator, client, admin }, 'fulfilled', 'Sunset walk');
  await setNumber(tara, creator, '');
  await confirmFulfilled(admin, requestId);

  const page = await open(creator, { viewport: { width: 390, height: 844 } });
  const { id } = await readProfile(creator);
  await page.goto(`/profile/history/${id}`);
  await page.getByRole('link', { name: 'name your GCash number' }).click();
  await page.getByLabel('Phone number').fill('09177654321');
  await page.getByRole('button', { name: /save|update/i }).click();
  await expect(page.getByText(notices.profileUpdated.title, { exact: true }).first()).toBeVisible();
  await page.goto(`/profile/history/${id}`);
  await expect(page.getByText('Paid out to you')).toBeVisible();

  await page.goto('/earnings');
  await page.getByRole('button', { name: 'Show the statement' }).click();
  await expect(page.getByRole('rowheader', { name: /^Paid out to you/ })).toBeVisible();
  await expect(page.getByRole('rowheader', { name: /^Earned/ })).toBeVisible();
  expect(await findViolations(page)).toEqual([]);
});

test('a refused payout says why, and an admin has it tried again once the number is right', async ({
  tara,
  joinVerified,
  admin,
  open,
}) => {
  const [creator, client] = [await joinVerified('Rita'), await joinVerified('Rico')];
  const { requestId } = await reachStage({ creator, client, admin }, 'fulfilled', 'Night swim');
  await setNumber(tara, creator, FAILING_NUMBER);
  await confirmFulfilled(admin, requestId);

  const page = await open(creator);
  const { id } = await readProfile(creator);
  await page.goto(`/profile/history/${id}`);
  await expect(
    page.getByText('The payout was refused. Check your GCash number; we try again.'),
  ).toBeVisible();
  await expect(page.getByText('Simulated failure for test number.')).toBeVisible();
  await setNumber(tara, creator, '09177654321');

  const adminPage = await open(admin);
  await adminPage.goto('/money');
  const row = adminPage
    .getByRole('region', { name: 'Failed payouts and refunds' })
    .getByRole('listitem')
    .filter({ hasText: creator.name });
  await expect(row).toContainText('Simulated failure for test number.');
  await row.getByRole('button', { name: /^Try again/ }).click();
  const dialog = adminPage.getByRole('dialog');
  await dialog.getByLabel('Reason').fill('The creator corrected the number.');
  expect(await findViolations(adminPage)).toEqual([]);
  await dialog.getByRole('button', { name: 'Try again' }).click();
  await expect(adminPage.getByText('It is tried again.').first()).toBeVisible();
  await expect(row).toHaveCount(0);

  // Without a reload.
  await expect(page.getByText('Paid out to you')).toBeVisible();
  expect((await readRequest(creator, requestId)).money.payout?.problem ?? null).toBeNull();
});
