import type { Page } from '@playwright/test';
import { findViolations } from './axe.ts';
import { beginConversation, writeTo } from './chats.ts';
import { expect, test } from './server-fixture.ts';

const bell = (page: Page) => page.getByRole('link', { name: /^Notifications/ }).filter({ visible: true });

test('the bell counts in two windows, and what was seen in one is read in both', async ({ join, open }) => {
  const [ana, ben] = [await join('Ana'), await join('Ben')];
  const phone = await open(ana, { viewport: { width: 390, height: 844 } });
  const desk = await open(ana, { viewport: { width: 1280, height: 800 } });
  for (const page of [phone, desk]) {
    await page.goto('/');
    await expect(bell(page)).toHaveAccessibleName('Notifications');
  }
  const { id } = await beginConversation(ben, ana);
  await writeTo(ben, id, 'Hello');
  // Nothing is polled: the count arrives with the event. It is no work, so that the title has none.
  for (const page of [phone, desk]) await expect(bell(page)).toHaveAccessibleName('Notifications 1 unread');
  await expect(phone).not.toHaveTitle(/^\(/);
  await bell(phone).click();
  const item = phone.getByRole('main').getByRole('link', { name: `${ben.name} would like to chat with you` });
  await expect(item).toBeVisible();
  for (const page of [phone, desk]) await expect(bell(page)).toHaveAccessibleName('Notifications');
  expect(await findViolations(phone)).toEqual([]);
  await item.click();
  await phone.waitForURL(/\/chats\?show=requests$/);
});
