import { notices } from '@tara/contract/notices';
import { findViolations } from './axe.ts';
import { acceptedConversation, beginConversation, expire } from './chats.ts';
import { writeMessage } from './people.ts';
import { expect, test } from './server-fixture.ts';
import { reachStage } from './steps.ts';

test('an expired conversation is read, and a paid plan opens it for both at once (§4-conversation-remove-expired, §8-expired-chat)', async ({
  tara,
  joinVerified,
  admin,
  open,
}) => {
  const { ana, ben, id, path, send } = await acceptedConversation(
    await joinVerified('Ana'),
    await joinVerified('Ben'),
  );
  await send(ben, 'Until next time');
  await expire(tara, id);
  const [anasPage, bensPage] = [await open(ana, { viewport: { width: 390, height: 844 } }), await open(ben)];
  await anasPage.goto('/chats');
  const row = anasPage.getByRole('main').getByRole('button', { name: new RegExp(`^${ben.name}`) });
  await expect(row).toContainText('expired');
  await expect(row).toContainText('visit my plans!');
  expect(await findViolations(anasPage)).toEqual([]);
  await row.click();
  const notice = anasPage.getByRole('dialog', { name: notices.expiredConversation.title });
  await expect(notice).toContainText(notices.expiredConversation.text);
  await expect(notice.getByRole('link', { name: 'View Plans' })).toBeVisible();
  await notice.getByRole('link', { name: 'Read the chat' }).click();
  await bensPage.goto(path);
  for (const page of [anasPage, bensPage]) {
    await expect(page.getByText('Until next time', { exact: true })).toBeVisible();
    await expect(page.getByText(notices.expiredConversation.text)).toBeVisible();
    await expect(page.getByRole('textbox', { name: 'Message' })).toBeHidden();
  }
  expect(await findViolations(anasPage)).toEqual([]);
  await reachStage({ creator: ben, client: ana, admin }, 'paid');
  for (const page of [anasPage, bensPage]) {
    await expect(page.getByText(/^A plan between you is paid/)).toBeVisible();
    await expect(page.getByRole('textbox', { name: 'Message' })).toBeVisible();
  }
  await writeMessage(anasPage, 'Back again');
  await expect(bensPage.getByText('Back again', { exact: true })).toBeVisible();
});

test('the Message button of an expired conversation leads to the plans', async ({ tara, join, open }) => {
  const [ana, ben] = [await join('Ana'), await join('Ben')];
  const { id, otherId } = await beginConversation(ana, ben);
  await expire(tara, id);
  const page = await open(ana);
  await page.goto(`/profile/${otherId}`);
  await page.getByRole('button', { name: 'Message', exact: true }).click();
  const notice = page.getByRole('dialog', { name: notices.expiredConversation.title });
  await notice.getByRole('link', { name: 'View Plans' }).click();
  await expect(page).toHaveURL(new RegExp(`/profile/plans/${otherId}`));
});
