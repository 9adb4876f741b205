import type { Locator } from '@playwright/test';
import { notificationSettings } from '@tara/contract/notifications/settings';
import { findViolations } from './axe.ts';
import { beginConversation, writeTo } from './chats.ts';
import { inDatabase, waitFor } from './outside.ts';
import { expect, test } from './server-fixture.ts';
import type { Person } from './steps.ts';
import type { Tara } from './tara.ts';

/** Lets the hour come at which a job is due. */
const makeDue = (tara: Tara, task: string) =>
  inDatabase(tara, async (sql) => {
    await waitFor(`job ${task}`, async () => {
      const due = await sql`update graphile_worker._private_jobs set run_at = now() where task_id =
        (select id from graphile_worker._private_tasks where identifier = ${task}) returning id`;
      return due.length > 0;
    });
  });

/** The text of the newest mail to somebody whose subject has these words. */
const mailText = (tara: Tara, { email }: Person, words: string) =>
  waitFor(`mail to ${email} about ${words}`, async () => {
    const answer = await fetch(`${tara.url}/mailbox/messages?to=${encodeURIComponent(email)}`);
    const { messages } = (await answer.json()) as { messages: { subject: string; text: string }[] };
    return messages.find(({ subject }) => subject.includes(words))?.text;
  });

const readSettings = ({ client }: Person) => client.call(notificationSettings.get);

test('the daily email has what was not seen, and its link ends it once that is confirmed, also for a guest', async ({
  tara,
  join,
  open,
}) => {
  const [ana, ben] = [await join('Ana'), await join('Ben')];
  const { id } = await beginConversation(ben, ana);
  await writeTo(ben, id, 'Hello');
  await makeDue(tara, 'notifications.mailDaily');
  const text = await mailText(tara, ana, `${ben.name} would like to chat with you`);
  const [link = ''] = text.match(/http\S+\/unsubscribe\/\S+/) ?? [];
  const page = await open(null, { viewport: { width: 390, height: 844 } });
  await page.goto(new URL(link).pathname);
  await expect(page.getByRole('heading', { name: 'Stop the daily email?' })).toBeVisible();
  expect(await findViolations(page)).toEqual([]);
  expect((await readSettings(ana)).dailyEmail).toBe(true);
  await page.getByRole('button', { name: 'Stop them' }).click();
  await expect(page.getByRole('heading', { name: 'These emails have ended' })).toBeVisible();
  expect((await readSettings(ana)).dailyEmail).toBe(false);
  // The link let nobody in.
  await page.getByRole('link', { name: 'Open my settings' }).click();
  await page.waitForURL((address) => address.pathname === '/sign-in');
});

test('a member chooses ways, quiet hours and a pause, which stay', async ({ join, open }) => {
  const ana = await join('Ana');
  const page = await open(ana, { viewport: { width: 390, height: 844 } });
  await page.goto('/settings');
  await page.getByRole('link', { name: 'Choose what notifies you' }).click();
  // Each shows its new state a moment after the click.
  const [postEmails, quietHours] = ['Posts: Email', 'Quiet hours'].map((name) =>
    page.getByRole('checkbox', { name }),
  ) as [Locator, Locator];
  await postEmails.click();
  await expect(postEmails).not.toBeChecked();
  await quietHours.click();
  await expect(quietHours).toBeChecked();
  await page.getByRole('combobox', { name: 'From' }).selectOption('9 PM');
  await page.getByRole('combobox', { name: 'Time zone' }).selectOption('Asia/Tokyo');
  await page.getByRole('button', { name: 'Pause for 1 day' }).click();
  await expect(page.getByText(/^Until /).first()).toBeVisible();
  expect(await findViolations(page)).toEqual([]);
  await expect
    .poll(() => readSettings(ana))
    .toMatchObject({
      quietHours: { from: 21, until: 7 },
      timeZone: 'Asia/Tokyo',
      choices: expect.arrayContaining([
        { group: 'posts', channel: 'email', isOn: false, canSwitchOff: true },
      ]),
    });
  await page.reload();
  await expect(page.getByRole('checkbox', { name: 'Posts: Email' })).not.toBeChecked();
  await page.getByRole('button', { name: 'End the pause' }).click();
  await expect(page.getByRole('button', { name: 'Pause for 1 day' })).toBeVisible();
});
