import { countActions } from './actions.ts';
import { findViolations } from './axe.ts';
import { inDatabase } from './outside.ts';
import {
  dayAhead,
  enterCard,
  openCheckout,
  openManager,
  payRequest,
  requestCard,
  requestPlan,
} from './people.ts';
import { expect, test } from './server-fixture.ts';
import { createPlan, reachStage, readRequest } from './steps.ts';

const title = 'Island hop';

test('a request names a day, and is paid on the same screen', async ({ joinVerified, admin, open }) => {
  const [creator, client] = [await joinVerified('Ana'), await joinVerified('Ben')];
  await reachStage({ creator, client, admin }, 'offered', title);
  const page = await open(client, { viewport: { width: 390, height: 844 } });
  await requestPlan(page, creator.name, title);
  await expect(page.getByRole('link', { name: 'Pay ₱750.00' })).toBeVisible();
  expect(await findViolations(page)).toEqual([]);
  await page.getByRole('link', { name: 'Pay ₱750.00' }).click();
  await enterCard(page, '5555444444444457');
  await page.getByRole('link', { name: 'Return' }).click();
  await expect(requestCard(page, title)).toContainText('6:30 PM to 8:30 PM');
  await expect(requestCard(page, title)).toContainText('Luneta Park');
  await expect(requestCard(page, title).getByText('paid', { exact: true })).toBeVisible();
});

test('from the plan to the open payment page are at most 6 actions', async ({ joinVerified, open }) => {
  const [creator, client] = [await joinVerified('Ana'), await joinVerified('Ben')];
  const planId = await createPlan(creator, title);
  const page = await open(client, { viewport: { width: 390, height: 844 } });
  await page.goto(`/profile/plan-details/${planId}`);
  const { act, expectAtMost } = countActions();
  await act('Choose a day', () => page.getByRole('button', { name: 'Choose a day' }).click());
  const dialog = page.getByRole('dialog', { name: 'When do you want to meet?' });
  await expect(dialog.getByLabel('Time')).toHaveValue('06:00');
  expect(await findViolations(page)).toEqual([]);
  await act('the second day', () => dialog.getByRole('radio').nth(1).check());
  await act('Place', () => dialog.getByLabel('Place').fill('Luneta Park'));
  await act('Accept terms and conditions', () => dialog.getByLabel('Accept terms and conditions').check());
  await act('Send Request', () => dialog.getByRole('button', { name: 'Send Request' }).click());
  await expect(page.getByText('Pay now to hold your place')).toBeVisible();
  await act('Pay', () => page.getByRole('link', { name: 'Pay ₱750.00' }).click());
  await expect(page.getByLabel('Card number')).toBeVisible();
  expectAtMost(6);
});

test('Esc and Back close the choice of a day, which stays as it was', async ({ joinVerified, open }) => {
  const [creator, client] = [await joinVerified('Ana'), await joinVerified('Ben')];
  const planId = await createPlan(creator, title);
  const page = await open(client, { viewport: { width: 390, height: 844 } });
  await page.goto(`/profile/plan-details/${planId}`);
  const button = page.getByRole('button', { name: 'Choose a day' });
  const dialog = page.getByRole('dialog', { name: 'When do you want to meet?' });
  await button.click();
  await dialog.getByRole('radio').nth(2).check();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(button).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(dialog.getByRole('radio').nth(2)).toBeChecked();
  await page.goBack();
  await expect(dialog).toBeHidden();
  await expect(page).toHaveURL(new RegExp(`/profile/plan-details/${planId}$`));
});

test('a paid request that is declined goes back, with the reason', async ({ joinVerified, admin, open }) => {
  const [creator, client] = [await joinVerified('Ana'), await joinVerified('Ben')];
  const { requestId } = await reachStage({ creator, client, admin }, 'paid', title);
  const page = await open(creator);
  // The list opens where something waits.
  await page.goto('/manage-plans');
  await requestCard(page, title).getByRole('button', { name: 'Decline' }).click();
  const question = page.getByRole('dialog', { name: 'Decline this request?' });
  await expect(question).toContainText('₱750.00 back in full');
  await question.getByRole('textbox').fill('I am away that week.');
  await question.getByRole('button', { name: 'Decline' }).click();
  await expect(page.getByText('You declined the request', { exact: true }).first()).toBeVisible();
  await expect(requestCard(page, title)).toBeHidden();
  const { whoSentReq, money } = await readRequest(client, requestId);
  expect(money.state).toMatch(/^refund/);
  const clientsPage = await open(client);
  await clientsPage.goto(`/profile/history/${whoSentReq.id}`);
  const card = requestCard(clientsPage, title);
  await expect(card).toContainText('I am away that week.');
  await expect(card).toContainText(`${creator.name} declined the request.`);
  await expect(card).toContainText(/refund/i);
});

test('a client withdraws before the day, and is shown what happens to the money', async ({
  joinVerified,
  admin,
  open,
}) => {
  const [creator, client] = [await joinVerified('Ana'), await joinVerified('Ben')];
  const { requestId } = await reachStage({ creator, client, admin }, 'accepted', title);
  const page = await open(client);
  await openManager(page, /^Pending Friends/);
  await requestCard(page, title).getByRole('button', { name: 'Withdraw' }).click();
  const question = page.getByRole('dialog', { name: 'Withdraw this request?' });
  await expect(question).toContainText('You get ₱750.00 back in full');
  await question.getByRole('button', { name: 'Withdraw' }).click();
  await expect(page.getByText('Your request is withdrawn', { exact: true }).first()).toBeVisible();
  await expect(requestCard(page, title)).toBeHidden();
  expect((await readRequest(client, requestId)).money.state).toMatch(/^refund/);
});

test('an unpaid request expires by itself, and both see why', async ({ tara, joinVerified, admin, open }) => {
  test.setTimeout(150_000);
  const [creator, client] = [await joinVerified('Ana'), await joinVerified('Ben')];
  const { requestId } = await reachStage({ creator, client, admin }, 'requested', title);
  const page = await open(creator);
  await openManager(page, /^Friend Request/);
  await expect(requestCard(page, title)).toBeVisible();
  await inDatabase(tara, async (sql) => {
    await sql`update interactions set pay_until = now() - interval '1 second' where id = ${requestId}`;
    // What runs every minute.
    await sql`select graphile_worker.add_job('payments.deadlines', '{}')`;
  });
  // Asking the provider first can fail; then it is done a minute later.
  await expect(requestCard(page, title)).toBeHidden({ timeout: 90_000 });
  const { whoSentReq } = await readRequest(client, requestId);
  const clientsPage = await open(client);
  await clientsPage.goto(`/profile/history/${whoSentReq.id}`);
  await expect(requestCard(clientsPage, title)).toContainText('It ended because it was not paid in time.');
  await expect(requestCard(clientsPage, title)).toContainText('Nothing was paid');
});

test('another day is proposed, and holds once the other agrees', async ({ joinVerified, admin, open }) => {
  const [creator, client] = [await joinVerified('Ana'), await joinVerified('Ben')];
  await reachStage({ creator, client, admin }, 'accepted', title);
  const [anasPage, bensPage] = [await open(creator), await open(client)];
  await openManager(bensPage, /^Pending Friends/);
  await openManager(anasPage, /^Pending Friends/);
  await requestCard(anasPage, title).getByRole('button', { name: 'Propose another day' }).click();
  const dialog = anasPage.getByRole('dialog', { name: 'Propose another day' });
  await dialog.getByLabel('Day', { exact: true }).fill(dayAhead(9));
  await dialog.getByLabel('Time').fill('09:00');
  await dialog.getByLabel('Place').fill('Rizal Park');
  expect(await findViolations(anasPage)).toEqual([]);
  await dialog.getByRole('button', { name: 'Send proposal' }).click();
  await expect(requestCard(anasPage, title)).toContainText('You proposed another day');
  const card = requestCard(bensPage, title);
  await expect(card).toContainText(`${creator.name} proposes another day`);
  expect(await findViolations(bensPage)).toEqual([]);
  await card.getByRole('button', { name: 'Agree to this day' }).click();
  await expect(card.getByRole('link', { name: 'Add to calendar' })).toBeVisible();
  await expect(requestCard(anasPage, title)).toContainText('9:00 AM to 11:00 AM');
  await expect(requestCard(anasPage, title).getByText('new day', { exact: true })).toBeHidden();
});

test('a card is declined, 3-D Secure fails, a wallet is cancelled: nothing is paid until one succeeds', async ({
  joinVerified,
  admin,
  open,
}) => {
  const [creator, client] = [await joinVerified('Ana'), await joinVerified('Ben')];
  const { requestId } = await reachStage({ creator, client, admin }, 'requested', title);
  const page = await open(client);
  await openCheckout(page, title);
  const checkout = page.url();
  await enterCard(page, '4400000000000016');
  await expect(page.getByText('The card was declined', { exact: false })).toBeVisible();
  await enterCard(page, '4120000000000007');
  await page.getByRole('button', { name: 'Fail' }).click();
  await expect(page.getByText('was not authorized', { exact: false }).first()).toBeVisible();
  await page.goto(checkout);
  await page.getByRole('button', { name: 'Pay with GCash' }).click();
  await page.getByRole('link', { name: 'Cancel' }).click();
  await page.goto(checkout);
  await page.getByRole('link', { name: 'Cancel' }).click();
  await page.getByRole('link', { name: 'Return' }).click();
  await expect(page.getByText(/^We are checking your payment/)).toBeVisible();
  expect((await readRequest(client, requestId)).paid).toBe(false);
  await payRequest(page, title);
});

test('a request that is paid in two tabs is paid once, the second payment goes back', async ({
  joinVerified,
  admin,
  open,
}) => {
  const [creator, client] = [await joinVerified('Ana'), await joinVerified('Ben')];
  await reachStage({ creator, client, admin }, 'requested', title);
  const tabs = [await open(client), await open(client)];
  for (const tab of tabs) await openCheckout(tab, title);
  for (const tab of tabs) await enterCard(tab, '5555444444444457');
  for (const tab of tabs) {
    await expect(tab.getByRole('heading', { name: /Payment successful|closed|paid/i }).first()).toBeVisible();
  }
  const page = tabs[0] ?? (await open(client));
  await openManager(page, /^Your Request/);
  const card = requestCard(page, title);
  await expect(card.getByText('paid', { exact: true })).toBeVisible();
  await expect(card.getByText(/^₱750\.00$/).first()).toBeVisible();
});
