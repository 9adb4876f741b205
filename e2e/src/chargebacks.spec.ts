import { adminMoney } from '@tara/contract/money/admin-money';
import { findViolations } from './axe.ts';
import { control } from './chaos/money-fixture.ts';
import { chargeBack } from './chaos/money-provider.ts';
import { inDatabase, waitFor } from './outside.ts';
import { expect, test } from './server-fixture.ts';
import { reachStage, readProfile, readRequest } from './steps.ts';

/** Another dispute that fits every payment, so that the next one is assigned to none by itself. */
const rival = { id: 'dp_rival', amount: 100_00 };

const title = 'Lantern walk';

test('an admin assigns a dispute, opens its case file, and both sides read what the issuer took', async ({
  tara,
  joinVerified,
  admin,
  open,
}) => {
  const [creator, client] = [await joinVerified('Celia'), await joinVerified('Carlo')];
  const { requestId } = await reachStage({ creator, client, admin }, 'chatting', title);
  await inDatabase(tara, async (sql) => {
    await sql`insert into unassigned_disputes (id, amount_centavos, reason, state, disputed_at, payment_ids)
      values (${rival.id}, ${rival.amount}, '', 'open', now(), '[]')`;
  });
  await chargeBack(tara, requestId, false);
  await waitFor('dispute that names no payment', async () => {
    const { items } = await admin.client.call(adminMoney.unassignedDisputes, { query: {} });
    return items.some(({ payments }) => payments.some(({ planTitle }) => planTitle === title));
  });
  const adminPage = await open(admin);
  await adminPage.goto('/money');
  const disputes = adminPage.getByRole('region', { name: 'Card disputes without a payment' });
  const row = disputes.getByRole('listitem').filter({ hasText: title }).first();
  await row.getByRole('button', { name: /^Assign to pay_/ }).click();
  const dialog = adminPage.getByRole('dialog', { name: 'Assign the dispute' });
  await dialog.getByLabel('Reason').fill('The day and the card agree.');
  expect(await findViolations(adminPage)).toEqual([]);
  await dialog.getByRole('button', { name: 'Assign', exact: true }).click();
  await expect(adminPage.getByText('The dispute is assigned.').first()).toBeVisible();
  await expect(row).toHaveCount(0);
  const other = disputes.getByRole('listitem').filter({ hasText: rival.id });
  await other.getByRole('button', { name: 'No payment of Tara' }).click();
  const foreign = adminPage.getByRole('dialog', { name: 'No payment of Tara' });
  await foreign.getByLabel('Reason').fill('It was paid in the other shop.');
  expect(await findViolations(adminPage)).toEqual([]);
  await foreign.getByRole('button', { name: 'Confirm' }).click();
  await expect(other.getByText(/^About no payment of Tara/)).toBeVisible();
  let disputeId = '';
  await inDatabase(tara, async (sql) => {
    await sql`delete from unassigned_disputes where id = ${rival.id}`;
    const [chargeback] = await sql`select id from chargebacks where interaction_id = ${requestId}`;
    disputeId = chargeback?.id;
  });

  await adminPage.goto(`/chargebacks?open=${disputeId}`);
  await adminPage.getByRole('link', { name: 'Case file for the issuer' }).first().click();
  await adminPage.getByRole('button', { name: 'Open the file' }).click();
  await expect(adminPage.getByText(title).first()).toBeVisible();
  await expect(adminPage.getByRole('button', { name: 'Print or save as PDF' })).toBeVisible();
  expect(await findViolations(adminPage)).toEqual([]);

  await control(tara, `/disputes/${disputeId}`, { status: 'lost' });
  await waitFor(
    'decision',
    async () => (await readRequest(client, requestId)).money.state === 'charged_back',
  );
  for (const [person, text] of [
    [client, 'Given back to you by your card issuer'],
    [creator, /^Taken back by the card issuer of/],
  ] as const) {
    const page = await open(person, { viewport: { width: 390, height: 844 } });
    await page.goto(`/profile/history/${(await readProfile(person)).id}`);
    await expect(page.getByText(text).first()).toBeVisible();
    expect(await findViolations(page)).toEqual([]);
  }
});
