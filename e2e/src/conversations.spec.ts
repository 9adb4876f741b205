import type { Page } from '@playwright/test';
import { findViolations } from './axe.ts';
import { acceptedConversation, beginConversation, openForBoth, writeTo } from './chats.ts';
import { expect, test } from './server-fixture.ts';
import { type Person, readProfile } from './steps.ts';

const idOf = async (who: Person) => (await readProfile(who)).id;

/** Presses 'Message' on the profile of a member. */
async function pressMessage(page: Page, member: Person): Promise<void> {
  await page.goto(`/profile/${await idOf(member)}`);
  await page.getByRole('button', { name: 'Message', exact: true }).click();
}

/** The conversation of two members, with a message of the first. */
async function begin(from: Person, to: Person, body: string): Promise<string> {
  const { id } = await beginConversation(from, to);
  await writeTo(from, id, body);
  return id;
}

const row = (page: Page, { name }: Person) =>
  page.getByRole('main').getByRole('link', { name: new RegExp(`^${name}`) });

/** Chooses an action of the menu of a row. */
async function choose(page: Page, { name }: Person, action: string): Promise<void> {
  await page.getByRole('button', { name: `More about the chat with ${name}` }).click();
  await page.getByRole('menuitem', { name: action }).click();
}

test('the Message button opens one conversation, which both find (§4-message-button)', async ({
  join,
  open,
}) => {
  const [ana, ben] = [await join('Ana'), await join('Ben')];
  const [anasPage, bensPage] = [await open(ana), await open(ben)];
  await pressMessage(anasPage, ben);
  await anasPage.waitForURL(/\/chats\/[^/]+\?id=[^&]+&mixId=/);
  const id = new URL(anasPage.url()).searchParams.get('id');
  await pressMessage(bensPage, ana);
  await bensPage.waitForURL(/\/chats\/[^/]+\?id=/);
  expect(new URL(bensPage.url()).searchParams.get('id')).toBe(id);
});

test('a message request is counted where it waits, accepted, and its chat is live (§7-realtime-chats)', async ({
  join,
  open,
}) => {
  const [ana, ben] = [await join('Ana'), await join('Ben')];
  const page = await open(ben, { viewport: { width: 390, height: 844 } });
  await page.goto('/');
  const messages = page.getByRole('banner').getByRole('link', { name: /^Messages/ });
  await expect(messages).toHaveAccessibleName('Messages');
  // Nothing is polled: the count arrives with the event.
  const id = await begin(ana, ben, 'Hello, I am new in Cebu');
  await messages.click();
  await page.getByRole('tab', { name: 'Message requests 1 waiting' }).click();
  // Nothing to do but to answer it, where it waits.
  await expect(messages).toHaveAccessibleName('Messages');
  await expect(row(page, ana)).toContainText('Hello, I am new in Cebu');
  expect(await findViolations(page)).toEqual([]);
  await choose(page, ana, 'Accept');
  await expect(page.getByText('No message requests')).toBeVisible();
  await page.getByRole('tab', { name: 'Chats' }).click();
  await expect(row(page, ana)).toBeVisible();
  await writeTo(ana, id, 'Tara sa dagat 🏖️');
  await expect(row(page, ana)).toContainText('Tara sa dagat 🏖️');
  // One conversation, with two messages.
  await expect(messages).toHaveAccessibleName('Messages 1 unread');
  await expect(page).toHaveTitle(/^\(1\) .* · Tara$/);
  await writeTo(ben, id, 'Bukas');
  await expect(row(page, ana)).toContainText('You: Bukas');
  expect(await findViolations(page)).toEqual([]);
});

test('a message request is answered in its chat: accepted, it opens for both at once', async ({
  join,
  open,
}) => {
  const [ana, ben] = [await join('Ana'), await join('Ben')];
  const { id, path } = await beginConversation(ana, ben);
  await writeTo(ana, id, 'Hello');
  const [anasPage, bensPage] = await openForBoth(open, { ana, ben, path });
  await expect(anasPage.getByText(`${ben.name} sees this as a message request.`)).toBeVisible();
  await expect(anasPage.getByRole('button', { name: 'Add a picture' })).toBeHidden();
  // A member who has not answered is not shown.
  await expect(anasPage.getByText('Online', { exact: true })).toBeHidden();
  const request = bensPage.getByRole('region', { name: 'Message request' });
  await expect(request).toBeVisible();
  expect(await findViolations(bensPage)).toEqual([]);
  await request.getByRole('button', { name: 'Accept' }).click();
  await expect(request).toBeHidden();
  await expect(anasPage.getByText('sees this as a message request')).toBeHidden();
  await expect(anasPage.getByRole('button', { name: 'Add a picture' })).toBeVisible();
  await expect(anasPage.getByText('Online', { exact: true })).toBeVisible();
});

test('a message request is ignored or blocked in its chat', async ({ join, open }) => {
  const [ana, ben, cara] = [await join('Ana'), await join('Ben'), await join('Cara')];
  const [fromAna, fromCara] = [await beginConversation(ana, ben), await beginConversation(cara, ben)];
  await writeTo(ana, fromAna.id, 'Hello');
  await writeTo(cara, fromCara.id, 'Hi');
  const [anasPage, carasPage, bensPage] = [await open(ana), await open(cara), await open(ben)];
  await anasPage.goto(fromAna.path);
  await carasPage.goto(fromCara.path);
  const request = bensPage.getByRole('region', { name: 'Message request' });
  await bensPage.goto(fromAna.path);
  await request.getByRole('button', { name: 'Ignore' }).click();
  await bensPage.waitForURL(/\/chats$/);
  await bensPage.goto(fromCara.path);
  await request.getByRole('button', { name: 'Block' }).click();
  await bensPage.getByRole('dialog').getByRole('button', { name: 'Block', exact: true }).click();
  await expect(bensPage.getByText(`You blocked ${cara.name}.`).first()).toBeVisible();
  await bensPage.getByRole('tab', { name: 'Message requests' }).click();
  await expect(bensPage.getByText('No message requests')).toBeVisible();
  await expect(anasPage.getByRole('textbox', { name: 'Message' })).toBeVisible();
  await expect(carasPage.getByRole('heading', { name: 'There is no such conversation.' })).toBeVisible();
});

test('an ignored request leaves the list, and its sender is not told', async ({ join, open }) => {
  const [ana, ben] = [await join('Ana'), await join('Ben')];
  await begin(ana, ben, 'Hello');
  const [anasPage, bensPage] = [await open(ana), await open(ben)];
  await bensPage.goto('/chats?show=requests');
  await choose(bensPage, ana, 'Ignore');
  await expect(bensPage.getByText('No message requests')).toBeVisible();
  await anasPage.goto('/chats');
  await expect(row(anasPage, ben)).toContainText('You: Hello');
});

test('a deleted chat is back with a new message (§7-delete-chat)', async ({ join, open }) => {
  const [ana, ben] = [await join('Ana'), await join('Ben')];
  const id = await begin(ana, ben, 'Hello');
  const page = await open(ana);
  await page.goto('/chats');
  await choose(page, ben, 'Delete chat');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete chat' }).click();
  await expect(page.getByText('No Chats')).toBeVisible();
  await page.reload();
  await expect(page.getByText('No Chats')).toBeVisible();
  await writeTo(ben, id, 'Are you there?');
  await expect(row(page, ben)).toContainText('Are you there?');
});

test('a member who wants messages of nobody gets no new chats', async ({ join, open }) => {
  const [ana, ben] = [await join('Ana'), await join('Ben')];
  const [anasPage, bensPage] = [await open(ana), await open(ben)];
  await bensPage.goto('/settings');
  const choice = bensPage.getByRole('combobox', { name: 'Who may write to me' });
  await choice.selectOption('Nobody');
  await expect(bensPage.getByText('Your choice was saved.')).toBeAttached();
  await bensPage.reload();
  await expect(choice).toHaveValue('nobody');
  await pressMessage(anasPage, ben);
  await expect(
    anasPage.getByText('This member does not take new messages from you', { exact: true }).first(),
  ).toBeVisible();
});

test('after a block the chat can be read and reported', async ({ join, open }) => {
  const [ana, ben] = [await join('Ana'), await join('Ben')];
  const id = await begin(ana, ben, 'Hello');
  await writeTo(ben, id, 'Pay me directly');
  const page = await open(ana);
  await page.goto(`/profile/${await idOf(ben)}`);
  await page.getByRole('button', { name: `More about ${ben.name}` }).click();
  await page.getByRole('menuitem', { name: 'Block' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Block', exact: true }).click();
  await expect(page.getByText(`You blocked ${ben.name}.`).first()).toBeVisible();
  await page.goto('/settings/blocked');
  await expect(page.getByRole('link', { name: `Read the chat with ${ben.name}` })).toBeVisible();
  expect(await findViolations(page)).toEqual([]);
  await page.getByRole('button', { name: `Report these messages of ${ben.name}` }).click();
  await page.getByLabel('Reason').selectOption('Asks for money outside Tara');
  await page.getByRole('button', { name: 'Send report' }).click();
  await expect(page.getByText('Your report was sent.').first()).toBeVisible();
});

test('presence and hiding it are shown at once in an open chat', async ({ join, open }) => {
  const [ana, ben] = [await join('Ana'), await join('Ben')];
  const { path } = await acceptedConversation(ana, ben);
  const page = await open(ana);
  await page.goto(path);
  const header = page.getByRole('main');
  const hidden = header.getByText(`@${(await readProfile(ben)).username}`);
  await expect(hidden).toBeVisible();
  const bensPage = await open(ben);
  await bensPage.goto('/settings');
  await expect(header.getByText('Online', { exact: true })).toBeVisible();
  await bensPage.getByRole('checkbox', { name: 'Last seen' }).click();
  await expect(hidden).toBeVisible();
  await bensPage.getByRole('checkbox', { name: 'Last seen' }).click();
  await expect(header.getByText('Online', { exact: true })).toBeVisible();
  await bensPage.close();
  await expect(header.getByText('Last seen just now')).toBeVisible();
});
