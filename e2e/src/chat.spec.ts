import { confirmFulfilled, fulfil, openManager, requestCard, writeMessage } from './people.ts';
import { expect, test } from './server-fixture.ts';
import { reachStage } from './steps.ts';

test('messages of a plan chat are live for both', async ({ joinVerified, admin, open }) => {
  const [creator, client] = [await joinVerified('Ana'), await joinVerified('Ben')];
  await reachStage({ creator, client, admin }, 'accepted', 'Island hop');
  const [anasPage, bensPage] = [await open(creator), await open(client)];
  await openManager(bensPage, /^Pending Friends/);
  await openManager(anasPage, /^Pending Friends/);
  await requestCard(anasPage, 'Island hop').getByRole('button', { name: 'Open the chat' }).click();
  await anasPage.waitForURL(/conversation-receipt/);
  await requestCard(bensPage, 'Island hop').getByRole('link', { name: /chat/i }).click();
  await bensPage.waitForURL(/conversation-receipt/);
  await writeMessage(anasPage, 'See you at the pier');
  await expect(bensPage.getByText('See you at the pier', { exact: true })).toBeVisible();
  await writeMessage(bensPage, 'On my way');
  await expect(anasPage.getByText('On my way', { exact: true })).toBeVisible();
});

test('a fulfilled plan is confirmed by the admin, and the open chat shows the payout', async ({
  joinVerified,
  admin,
  open,
}) => {
  const [creator, client] = [await joinVerified('Ana'), await joinVerified('Ben')];
  const title = `Island hop ${creator.name.slice(-5)}`;
  const { chatId } = await reachStage({ creator, client, admin }, 'chatting', title);
  const [anasPage, bensPage] = [await open(creator), await open(client)];
  const path = `/manage-plans/conversation-receipt/${encodeURIComponent(chatId)}`;
  await anasPage.goto(path);
  await bensPage.goto(path);
  await fulfil(bensPage);
  await confirmFulfilled(await open(admin), title);
  await expect(anasPage.getByText(/paid out/i).first()).toBeVisible();
});
