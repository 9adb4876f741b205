import { account } from '@tara/contract/accounts/accounts';
import { notices } from '@tara/contract/notices';
import { findViolations } from './axe.ts';
import { ageMonths } from './chaos/money-provider.ts';
import { Client } from './client.ts';
import { inDatabase } from './outside.ts';
import { requestCard } from './people.ts';
import { expect, test } from './server-fixture.ts';
import {
  acceptVerifications,
  confirmEmail,
  confirmFulfilled,
  makeAdmin,
  newPerson,
  type Person,
  password,
  reachStage,
  readProfile,
  readRequest,
  sendVerification,
  signUp,
} from './steps.ts';
import { openTara, type Tara } from './tara.ts';

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
    page.getByText('The payout was refused, and we try it again: check your GCash number'),
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
  await expect(adminPage.getByText('Tara tries to send it now.').first()).toBeVisible();
  await expect(row).toHaveCount(0);

  // Without a reload.
  await expect(page.getByText('Paid out to you')).toBeVisible();
  expect((await readRequest(creator, requestId)).money.payout?.problem ?? null).toBeNull();
});

/** A session of somebody who entered the password so long ago that sensitive calls ask for it. */
async function signInLongAgo(tara: Tara, { email, name }: Person): Promise<Person> {
  const client = new Client(tara.url);
  const { $id } = await client.call(account.createEmailSession, { body: { email, password } });
  // Before its first request: the server remembers what it read.
  await inDatabase(tara, async (sql) => {
    await sql`update sessions set password_shown_at = now() - interval '1 day', second_factor_shown_at = now()
      where id = ${$id}`;
  });
  return { client, email, name };
}

test('an admin refunds with a recent password; what is too old to go back goes to the number that the client names', async ({
  tara,
  joinVerified,
  admin,
  open,
}) => {
  const [creator, client] = [await joinVerified('Rosa'), await joinVerified('Rene')];
  const { requestId } = await reachStage({ creator, client, admin }, 'fulfilled', 'Reef dive');
  await ageMonths(tara, requestId);

  const adminPage = await open(await signInLongAgo(tara, admin));
  await adminPage.goto(`/confirm-plans?open=${requestId}`);
  await adminPage.getByRole('button', { name: 'Refund', exact: true }).click();
  const refundDialog = adminPage.getByRole('dialog', { name: 'Refund' });
  await refundDialog.getByLabel('Reason').fill('The boat never left.');
  await refundDialog.getByRole('button', { name: 'Refund', exact: true }).click();
  const passwordDialog = adminPage.getByRole('dialog', { name: 'Confirm your password' });
  await passwordDialog.getByLabel('Password', { exact: true }).fill(password);
  expect(await findViolations(adminPage)).toEqual([]);
  await passwordDialog.getByRole('button', { name: 'Confirm', exact: true }).click();
  await expect(adminPage.getByText('The request is refunded.').first()).toBeVisible();

  const page = await open(client, { viewport: { width: 390, height: 844 } });
  await page.goto(`/profile/history/${(await readProfile(client)).id}`);
  const card = requestCard(page, 'Reef dive');
  await expect(card.getByText('The boat never left.')).toBeVisible();
  const number = card.getByRole('region', { name: 'Number for refunds' });
  await number.getByLabel('GCash number').fill('09171112233');
  await number.getByRole('button', { name: 'Refund to this number' }).click();
  await expect(page.getByText('Your refund is on its way').first()).toBeVisible();
  // Without a reload.
  await expect(card.getByText('Refunded to you')).toBeVisible();
});

test('where admins send payouts by hand, the reference of the transfer settles one', async ({ openNew }) => {
  const tara = await openTara({ env: { PAYOUTS: 'manual' } });
  try {
    const join = async (name: string) => {
      const person = newPerson(tara, name);
      await signUp(tara, person);
      await confirmEmail(tara, person);
      return person;
    };
    const [admin, creator, client] = [await join('Boss'), await join('Mila'), await join('Milo')];
    await makeAdmin(tara, admin);
    for (const person of [creator, client]) await sendVerification(person, 1);
    await acceptVerifications(admin);
    await reachStage({ creator, client, admin }, 'confirmed', 'Reef dive');

    const [page, creatorPage] = [await openNew(admin), await openNew(creator)];
    await creatorPage.goto(`${tara.url}/profile/history/${(await readProfile(creator)).id}`);
    const card = requestCard(creatorPage, 'Reef dive');
    await expect(card).toBeVisible();
    await page.goto(`${tara.url}/money`);
    const list = page.getByRole('region', { name: 'To pay out by hand' });
    const row = list.getByRole('listitem').filter({ hasText: creator.name });
    await expect(row).toContainText('Payout to GCash');
    await row.getByRole('button', { name: /^Record transfer/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Record transfer' });
    await expect(dialog).toContainText('Only after you sent ₱750.00');
    await dialog.getByLabel('Reference of the transfer').fill('GC-2026-1122');
    expect(await findViolations(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Record transfer' }).click();
    await expect(page.getByText('The transfer is recorded.').first()).toBeVisible();
    await expect(row).toHaveCount(0);
    // Without a reload.
    await expect(card.getByText('Paid out to you')).toBeVisible();
  } finally {
    await tara.remove();
  }
});
