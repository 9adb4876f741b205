import { requestCases } from '@tara/contract/money/disputes';
import { findViolations } from './axe.ts';
import { passDays } from './chaos/money-clock.ts';
import { requestCard } from './people.ts';
import { expect, test } from './server-fixture.ts';
import { openChat, reachStage, readProfile, readRequest, sendMessage } from './steps.ts';

/** Without an agreed day it is 14 days after the acceptance; a week later an admin decides. */
const DAYS_WITHOUT_ANSWER = 14 + 7 + 1;

test('a paid request that nobody answers is in a list of admins, who split it with a reason', async ({
  tara,
  joinVerified,
  admin,
  open,
}) => {
  const [creator, client] = [await joinVerified('Nora'), await joinVerified('Nico')];
  const title = `Night walk ${creator.name.slice(-5)}`;
  const { requestId } = await reachStage({ creator, client, admin }, 'accepted', title);
  const chatId = await openChat(creator, requestId);
  await sendMessage(creator, chatId, 'See you at six');
  const listed = async () => {
    const { items } = await admin.client.call(requestCases.noAnswer, { query: {} });
    return items.map(({ id }) => id).includes(requestId);
  };
  expect(await listed()).toBe(false);
  await passDays(tara, requestId, DAYS_WITHOUT_ANSWER);
  expect(await listed()).toBe(true);

  const page = await open(admin, { viewport: { width: 390, height: 844 } });
  await page.goto('/no-answer');
  await page
    .getByRole('list', { name: 'Waiting' })
    .getByRole('link', { name: new RegExp(client.name) })
    .click();
  const details = page.getByRole('region', { name: 'Details' });
  await expect(details.getByText('Neither of the two said whether they met.')).toBeVisible();
  await details.getByRole('button', { name: 'Open the plan chat' }).click();
  await expect(details.getByText('See you at six')).toBeVisible();
  await details.getByLabel('What happens with the money?').selectOption('split');
  await details.getByLabel(`Back to ${client.name}, in pesos`).fill('750');
  await details.getByLabel('Reason').fill('Neither of you answered us.');
  await details.getByRole('button', { name: 'Decide' }).click();
  await expect(details.getByText(/^Must leave at least/)).toBeVisible();
  expect(await findViolations(page)).toEqual([]);
  await details.getByLabel(`Back to ${client.name}, in pesos`).fill('500.50');
  await expect(details.getByText(`₱249.50 goes to ${creator.name}.`)).toBeVisible();
  await details.getByRole('button', { name: 'Decide' }).click();
  const question = page.getByRole('dialog');
  await expect(question).toContainText(`₱500.50 goes back to ${client.name} and ₱249.50 to ${creator.name}`);
  await question.getByRole('button', { name: 'Decide', exact: true }).click();
  await expect(page.getByText('The request is decided.').first()).toBeVisible();
  expect(await listed()).toBe(false);

  for (const party of [creator, client]) {
    const own = await open(party);
    await own.goto(`/profile/history/${(await readProfile(party)).id}`);
    await requestCard(own, title).getByRole('link', { name: 'See the decision' }).click();
    const decision = own.getByRole('region', { name: 'The decision' });
    await expect(decision).toContainText('Neither of you answered us.');
    await expect(decision).toContainText('₱249.50');
    await expect(decision).toContainText('₱500.50');
  }
});

test('a request that nobody answers is released: it is completed, and both read why', async ({
  tara,
  joinVerified,
  admin,
  open,
}) => {
  const [creator, client] = [await joinVerified('Nora'), await joinVerified('Nico')];
  // Short enough to be shown whole on a narrow card.
  const title = `Swim ${creator.name.slice(-5)}`;
  const { requestId } = await reachStage({ creator, client, admin }, 'accepted', title);
  await passDays(tara, requestId, DAYS_WITHOUT_ANSWER);

  const page = await open(admin);
  await page.goto(`/no-answer?open=${requestId}`);
  const details = page.getByRole('region', { name: 'Details' });
  await details.getByLabel('What happens with the money?').selectOption('release');
  await details.getByLabel('Reason').fill('The photos show both of you.');
  await details.getByRole('button', { name: 'Decide' }).click();
  const question = page.getByRole('dialog');
  await expect(question).toContainText('₱750.00');
  await question.getByRole('button', { name: 'Decide', exact: true }).click();
  await expect(page.getByText('The request is decided.').first()).toBeVisible();

  const { stage, userSetDone, money } = await readRequest(client, requestId);
  expect({ stage, userSetDone, released: money.payout?.amount }).toEqual({
    ...{ stage: 'completed', userSetDone: true, released: 750 },
  });
  const own = await open(client, { viewport: { width: 390, height: 844 } });
  await own.goto(`/profile/history/${(await readProfile(client)).id}`);
  await requestCard(own, title).getByRole('link', { name: 'See the decision' }).click();
  await expect(own.getByRole('heading', { name: 'The decision' })).toBeVisible();
  await expect(own.getByRole('region', { name: 'The decision' })).toContainText(
    'The photos show both of you.',
  );
  expect(await findViolations(own)).toEqual([]);
});
