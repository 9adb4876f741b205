import { requestCases } from '@tara/contract/money/disputes';
import { findViolations } from './axe.ts';
import { expect, test } from './server-fixture.ts';
import { reachStage } from './steps.ts';

test('a dispute: the client objects, the creator answers, an admin splits', async ({
  joinVerified,
  admin,
  open,
}) => {
  const [creator, client] = [await joinVerified('Dora'), await joinVerified('Dino')];
  const { requestId } = await reachStage({ creator, client, admin }, 'accepted', 'Night market');

  const clientPage = await open(client, { viewport: { width: 390, height: 844 } });
  await clientPage.goto(`/dispute/${requestId}`);
  await clientPage.getByLabel('What was wrong?').selectOption('absent');
  await clientPage.getByLabel('What happened?').fill('Nobody came.');
  await clientPage.getByRole('button', { name: 'Open a dispute' }).click();
  await expect(clientPage.getByText(/^An admin decides next/)).toBeVisible();

  const creatorPage = await open(creator);
  await creatorPage.goto(`/dispute/${requestId}`);
  await expect(creatorPage.getByText('Nobody came.')).toBeVisible();
  await creatorPage.getByLabel('Your answer').fill('I waited at the other gate.');
  await creatorPage.getByRole('button', { name: 'Send the answer' }).click();
  await creatorPage.getByRole('dialog').getByRole('button', { name: 'Send', exact: true }).click();
  // Without a reload.
  await expect(clientPage.getByText('I waited at the other gate.')).toBeVisible();

  const adminPage = await open(admin);
  await adminPage.goto(`/disputes?open=${requestId}`);
  await adminPage.getByLabel('What happens with the money?').selectOption('split');
  await adminPage.getByLabel(/in pesos$/).fill('100');
  await adminPage.getByLabel('Reason').fill('Both were there.');
  await adminPage.getByRole('button', { name: 'Decide' }).click();
  await adminPage.getByRole('dialog').getByRole('button', { name: 'Decide', exact: true }).click();
  await expect(adminPage.getByText('The request is decided.').first()).toBeVisible();

  await expect(clientPage.getByRole('heading', { name: 'An admin decided' })).toBeVisible();
  await expect(clientPage.getByText('Both were there.')).toBeVisible();
  expect(await findViolations(clientPage)).toEqual([]);
});

test('a plan to which the client may still object asks the admin twice, and a dispute takes it away', async ({
  joinVerified,
  admin,
  open,
}) => {
  const [creator, client] = [await joinVerified('Dora'), await joinVerified('Dino')];
  const { requestId } = await reachStage({ creator, client, admin }, 'fulfilled', 'Night market');
  const page = await open(admin);
  await page.goto(`/confirm-plans?open=${requestId}`);
  await expect(page.getByText(/^The client may still object until/)).toBeVisible();
  await expect(page.getByText('The client said that the plan is fulfilled')).toBeVisible();
  await page.getByRole('button', { name: 'Confirm', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Go on' }).click();

  const clientPage = await open(client);
  await clientPage.goto(`/dispute/${requestId}`);
  await clientPage.getByLabel('What was wrong?').selectOption('unsafe');
  await clientPage.getByLabel('What happened?').fill('I left early.');
  await clientPage.getByRole('button', { name: 'Open a dispute' }).click();
  await expect(clientPage.getByText(/^An admin decides next/)).toBeVisible();

  await page.getByRole('dialog').getByRole('button', { name: 'Confirm', exact: true }).click();
  await expect(page.getByText(/There is an open dispute/).first()).toBeVisible();
  const { items } = await admin.client.call(requestCases.disputes, { query: {} });
  expect(items.map(({ id }) => id)).toContain(requestId);
});
