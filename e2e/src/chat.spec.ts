import type { Page } from '@playwright/test';
import { findViolations } from './axe.ts';
import { chatKinds, openForBoth, openMessageMenu, shownNumbers } from './chats.ts';
import { confirmFulfilled, fulfil, jpeg, openManager, requestCard, writeMessage } from './people.ts';
import { expect, test } from './server-fixture.ts';
import { type Person, reachStage } from './steps.ts';

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
  await bensPage.getByRole('button', { name: 'Plan is fulfilled' }).click();
  const dialog = bensPage.getByRole('alertdialog').or(bensPage.getByRole('dialog'));
  await expect(dialog).toContainText(`${creator.name} receives ₱750`);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await fulfil(bensPage);
  await confirmFulfilled(await open(admin), title);
  await expect(anasPage.getByText(/paid out/i).first()).toBeVisible();
});

test('ten seconds without a network lose nothing, and the typed order stays, in both kinds of chat', async ({
  joinVerified,
  admin,
  openNew,
}) => {
  const openWithClock = async (who: Person) => {
    const page = await openNew(who);
    await page.clock.install();
    return page;
  };
  const chats = [];
  for (const [, makeChat] of chatKinds) {
    const { ana, ben, path } = await makeChat({ joinVerified, admin });
    const [anasPage, bensPage] = await openForBoth(openWithClock, { ana, ben, path });
    await writeMessage(anasPage, 'one');
    await expect(bensPage.getByText('one', { exact: true })).toBeVisible();
    chats.push({ anasPage, bensPage });
  }
  for (const { anasPage } of chats) await anasPage.context().setOffline(true);
  for (const { anasPage, bensPage } of chats) {
    await expect(offlineNotice(anasPage)).toBeVisible();
    for (const text of ['two', 'three', 'four']) await writeMessage(anasPage, text);
    await expect(anasPage.getByText('Waiting for the network')).toHaveCount(3);
    await writeMessage(bensPage, 'five');
  }
  for (const { anasPage } of chats) await anasPage.clock.runFor(10_000);
  for (const { anasPage } of chats) await anasPage.context().setOffline(false);
  const order = ['one', 'five', 'two', 'three', 'four'];
  for (const { anasPage, bensPage } of chats) {
    await expect(offlineNotice(anasPage)).toBeHidden();
    await expect.poll(() => shownNumbers(anasPage)).toEqual(order);
    await expect.poll(() => shownNumbers(bensPage)).toEqual(order);
    await bensPage.reload();
    await expect.poll(() => shownNumbers(bensPage)).toEqual(order);
  }
});

const offlineNotice = (page: Page) => page.getByText('You are offline. Messages are sent when you are back.');

for (const [kind, makeChat] of chatKinds) {
  test(`${kind}: a server that is away is distinguished from being offline`, async ({
    joinVerified,
    admin,
    open,
  }) => {
    const { ana, path } = await makeChat({ joinVerified, admin });
    const page = await open(ana);
    await page.goto(path);
    await page.route('**/sendMessage', (route) => route.abort('connectionrefused'));
    await writeMessage(page, 'one');
    await writeMessage(page, 'two');
    await expect(page.getByText('Tara cannot be reached. Trying again.')).toBeVisible();
    await page.getByRole('button', { name: 'Cancel' }).first().click();
    await page.unroute('**/sendMessage');
    await expect.poll(() => shownNumbers(page)).toEqual(['two']);
    await expect(page.getByText('Tara cannot be reached. Trying again.')).toBeHidden();
  });

  test(`${kind}: a refused message is tried again in its place, or discarded`, async ({
    joinVerified,
    admin,
    open,
  }) => {
    const { ana, path } = await makeChat({ joinVerified, admin });
    const page = await open(ana);
    await page.goto(path);
    await page.route('**/sendMessage', (route) => route.fulfill({ status: 500, body: '' }));
    for (const text of ['one', 'two', 'three']) await writeMessage(page, text);
    await expect(page.getByText(/^Not sent/)).toHaveCount(1);
    await page.unroute('**/sendMessage');
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(page.getByText('Waiting to be sent')).toHaveCount(0);
    await expect.poll(() => shownNumbers(page)).toEqual(['one', 'two', 'three']);
  });

  test(`${kind}: an unsent message is removed for both at once (§4-unsend)`, async ({
    joinVerified,
    admin,
    open,
  }) => {
    const { ana, ben, path } = await makeChat({ joinVerified, admin });
    const [anasPage, bensPage] = await openForBoth(open, { ana, ben, path });
    await anasPage.getByLabel('Picture', { exact: true }).setInputFiles(await jpeg('pier', 3));
    await writeMessage(anasPage, 'Not what I meant');
    const picture = bensPage.getByRole('button', { name: /open full screen/ });
    await expect(picture).toBeVisible();
    await picture.click();
    await expect(bensPage.getByRole('dialog')).toBeVisible();
    await bensPage.goBack();
    await expect(bensPage.getByRole('dialog')).toBeHidden();
    await expect(bensPage).toHaveURL(new RegExp(`${path.split('/').at(-1)}$|mixId`));
    await (await openMessageMenu(anasPage, 'Not what I meant', 'Unsend')).click();
    await anasPage.getByRole('button', { name: 'Unsend', exact: true }).click();
    for (const page of [anasPage, bensPage]) {
      await expect(page.getByText('message unsent', { exact: true })).toBeVisible();
      await expect(page.getByText('Not what I meant')).toHaveCount(0);
      await expect(page.getByRole('button', { name: /open full screen/ })).toHaveCount(0);
    }
  });

  test(`${kind}: read marks and typing are live, and new messages are marked`, async ({
    joinVerified,
    admin,
    open,
  }) => {
    const { ana, ben, path, send } = await makeChat({ joinVerified, admin });
    const anasPage = await open(ana);
    await anasPage.goto(path);
    await writeMessage(anasPage, 'Are you there?');
    await expect(anasPage.getByText(/· Sent$/)).toBeVisible();
    const bensPage = await open(ben);
    await bensPage.goto('/saved');
    await expect(bensPage).toHaveTitle(/^\(\d+\) /);
    await send(ana, 'Hello again');
    await expect(anasPage.getByText(/· Delivered$/)).toBeVisible();
    await bensPage.goto(path);
    await expect(bensPage.getByText('New messages', { exact: true })).toBeVisible();
    await expect(anasPage.getByText(/· Read$/)).toBeVisible();
    const typing = anasPage.getByText(`${ben.name} is typing…`);
    await bensPage.getByRole('textbox', { name: 'Message' }).pressSequentially('Yes');
    await expect(typing).toBeVisible();
    await bensPage.getByRole('button', { name: 'Send', exact: true }).click();
    await expect(bensPage.getByText('New messages', { exact: true })).toBeHidden();
    await expect(anasPage.getByText('Yes', { exact: true })).toBeVisible();
    await expect(typing).toBeHidden();
    await send(ben, 'And you?');
    await expect(anasPage.getByText('And you?', { exact: true })).toBeVisible();
    await expect(anasPage.getByText('New messages', { exact: true })).toBeHidden();
  });

  test(`${kind}: a reply quotes its message and leads to it, far up in the history`, async ({
    joinVerified,
    admin,
    open,
  }) => {
    const { ana, ben, path, send } = await makeChat({ joinVerified, admin });
    await send(ana, 'The very first');
    for (let count = 1; count <= 60; count += 1) await send(ana, `Line ${count}`);
    const page = await open(ben);
    await page.goto(path);
    await expect(page.getByText('Line 60', { exact: true })).toBeVisible();
    // As many pages as there are, each when the one before is reached.
    await expect
      .poll(
        async () => {
          await page.getByRole('region', { name: 'Messages', exact: true }).evaluate((list) => {
            list.scrollTop = -list.scrollHeight;
          });
          return page.getByText('The very first', { exact: true }).isVisible();
        },
        { intervals: [100] },
      )
      .toBe(true);
    await expect(page.getByText('No more conversation.')).toBeVisible();
    await (await openMessageMenu(page, 'The very first', 'Reply')).click();
    await writeMessage(page, 'I remember');
    await expect(page.getByText('I remember', { exact: true })).toBeInViewport();
    await page.reload();
    await expect(page.getByText('I remember', { exact: true })).toBeInViewport();
    await page.getByRole('button', { name: /An earlier message|The very first/ }).click();
    await expect(page.locator('p', { hasText: /^The very first$/ })).toBeInViewport();
    await page.getByRole('button', { name: 'Jump to latest' }).click();
    await expect(page.getByText('I remember', { exact: true })).toBeInViewport();
  });

  test(`${kind}: the messages have room, and the message box is visible`, async ({
    joinVerified,
    admin,
    open,
  }) => {
    const longName = 'WWWWWWWWW';
    const { ana, ben, path, send } = await makeChat({ joinVerified, admin }, longName);
    await send(ben, { body: `Kumusta${'a'.repeat(300)}`, picture: 9 });
    for (let count = 1; count <= 12; count += 1) await send(ana, `Line ${count}`);
    const page = await open(ana);
    for (const [width, height, least] of [
      [390, 844, 300],
      [390, 544, 150],
      [844, 390, 150],
      [1280, 800, 300],
    ] as const) {
      await page.setViewportSize({ width, height });
      await page.goto(path);
      await expect(page.getByText('Line 12', { exact: true })).toBeInViewport();
      await expect(page.getByRole('textbox', { name: 'Message' })).toBeInViewport({ ratio: 1 });
      const box = await page.getByRole('region', { name: 'Messages', exact: true }).boundingBox();
      expect(box?.height, `${width}×${height}`).toBeGreaterThanOrEqual(least);
      const { scrollWidth, scrollHeight } = await page.evaluate(() => ({
        scrollWidth: Math.max(
          ...[...document.querySelectorAll('html, main section')].map((e) => e.scrollWidth),
        ),
        scrollHeight: document.documentElement.scrollHeight,
      }));
      expect(scrollWidth, `${width}×${height}`).toBeLessThanOrEqual(width);
      expect(scrollHeight, `${width}×${height}`).toBeLessThanOrEqual(height);
      expect(await findViolations(page)).toEqual([]);
    }
  });
}
