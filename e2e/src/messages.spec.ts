import type { Page } from '@playwright/test';
import { offPlatformWarning } from '@tara/contract/notices';
import { findViolations, waitUntilDrawn } from './axe.ts';
import { acceptedConversation, openForBoth, openMessageMenu, writeTo } from './chats.ts';
import { jpeg, writeMessage } from './people.ts';
import { photo } from './photos.ts';
import { expect, test } from './server-fixture.ts';

/** Pastes or drops a file at the message box, as the browser does. */
async function transferFile(
  page: Page,
  how: 'paste' | 'drop',
  { name, mimeType, buffer }: { name: string; mimeType: string; buffer: Buffer },
): Promise<void> {
  const box = page.getByRole('textbox', { name: 'Message' });
  await box.evaluate(
    (element, sent) => {
      const bytes = Uint8Array.from(atob(sent.content), (character) => character.charCodeAt(0));
      const transfer = new DataTransfer();
      transfer.items.add(new File([bytes], sent.name, { type: sent.mimeType }));
      const options = { bubbles: true, cancelable: true };
      element.dispatchEvent(
        sent.how === 'paste'
          ? new ClipboardEvent('paste', { ...options, clipboardData: transfer })
          : new DragEvent('drop', { ...options, dataTransfer: transfer }),
      );
    },
    { how, name, mimeType, content: buffer.toString('base64') },
  );
}

const picture = (page: Page) => page.getByRole('button', { name: /open full screen/ });

test('a picture is pasted or dropped, previewed, and shown to both', async ({ join, open }) => {
  const { ana, ben, path } = await acceptedConversation(await join('Ana'), await join('Ben'));
  const [anasPage, bensPage] = await openForBoth(open, { ana, ben, path });
  const preview = anasPage.getByRole('img', { name: 'To be sent' });
  for (const [index, how] of (['paste', 'drop'] as const).entries()) {
    await transferFile(anasPage, how, await jpeg(how, 4 + index));
    await expect(preview).toBeVisible();
    await anasPage.getByRole('textbox', { name: 'Message' }).press('Enter');
    await expect(preview).toBeHidden();
    await expect(picture(anasPage)).toHaveCount(index + 1);
    await expect(picture(bensPage)).toHaveCount(index + 1);
  }
  await transferFile(anasPage, 'drop', { name: 'a.gif', mimeType: 'image/gif', buffer: await photo(6) });
  await expect(anasPage.getByText(/jpg|jpeg|png/i).first()).toBeVisible();
  await expect(preview).toBeHidden();
});

test('a long press opens the menu of a message, a reply quotes it for both', async ({ join, open }) => {
  const { ana, ben, path, send } = await acceptedConversation(await join('Ana'), await join('Ben'));
  await send(ana, 'Shall we meet at the pier?');
  const anasPage = await open(ana);
  await anasPage.goto(path);
  const bensPage = await open(ben, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  await bensPage.goto(path);
  const text = bensPage.getByText('Shall we meet at the pier?', { exact: true });
  await expect(text).toBeVisible();
  await waitUntilDrawn(bensPage);
  const { x, y, width, height } = (await text.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  const touchPoints = [{ x: x + width / 2, y: y + height / 2 }];
  const touch = await bensPage.context().newCDPSession(bensPage);
  await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints });
  const reply = bensPage.getByRole('menuitem', { name: 'Reply' });
  await expect(reply).toBeVisible();
  await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  await expect(reply).toBeVisible();
  expect(await findViolations(bensPage)).toEqual([]);
  await reply.tap();
  await expect(bensPage.getByText(`Reply to ${ana.name}`)).toBeVisible();
  await writeMessage(bensPage, 'At six');
  for (const page of [anasPage, bensPage]) {
    const message = page.getByRole('listitem').filter({ hasText: 'At six' });
    await expect(message.getByRole('button', { name: /Shall we meet/ })).toBeVisible();
  }
});

test('a message that proposes to pay elsewhere warns its reader once, in two languages', async ({
  join,
  open,
}) => {
  const { ana, ben, path, send } = await acceptedConversation(await join('Ana'), await join('Ben'));
  const [anasPage, bensPage] = await openForBoth(open, { ana, ben, path });
  const warning = anasPage.getByRole('region', { name: 'Warning' });
  await writeMessage(bensPage, 'Just pay me directly on GCash, 0917 555 0134, no need for the app');
  await expect(warning).toContainText(offPlatformWarning.en.title);
  await expect(warning.locator('[lang=fil]')).toContainText(offPlatformWarning.fil.text);
  expect(await findViolations(anasPage)).toEqual([]);
  await warning.getByRole('button', { name: 'I have read it' }).click();
  await expect(warning).toBeHidden();
  await send(ben, 'Bayad direct na lang sa GCash ko para walang fee');
  await expect(anasPage.getByText(/^Bayad direct/)).toBeVisible();
  await expect(warning).toBeHidden();
  await anasPage.reload();
  await expect(anasPage.getByText(/^Bayad direct/)).toBeVisible();
  await expect(warning).toBeHidden();
  await expect(bensPage.getByRole('region', { name: 'Warning' })).toBeHidden();
});

test('what is not sent yet survives a reload, and a message is copied', async ({ join, open }) => {
  const { ana, ben, path, send } = await acceptedConversation(await join('Ana'), await join('Ben'));
  await send(ben, 'Maligayang kaarawan! 🎂');
  const page = await open(ana);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto(path);
  const box = page.getByRole('textbox', { name: 'Message' });
  const preview = page.getByRole('img', { name: 'To be sent' });
  await box.fill('Half a thought');
  await transferFile(page, 'paste', await jpeg('cake', 7));
  await expect(preview).toBeVisible();
  await page.reload();
  await expect(box).toHaveValue('Half a thought');
  await expect(preview).toBeVisible();
  await page.getByRole('button', { name: 'Remove picture' }).click();
  await page.reload();
  await expect(box).toHaveValue('Half a thought');
  await expect(preview).toBeHidden();
  const copy = await openMessageMenu(page, 'Maligayang kaarawan', 'Copy');
  expect(await findViolations(page)).toEqual([]);
  await copy.click();
  await expect
    .poll(() => page.evaluate(() => navigator.clipboard.readText()))
    .toBe('Maligayang kaarawan! 🎂');
});

test('a picture that was not uploaded when the page was loaded again is sent then', async ({
  join,
  open,
}) => {
  const { ana, ben, path } = await acceptedConversation(await join('Ana'), await join('Ben'));
  const [page, bensPage] = await openForBoth(open, { ana, ben, path });
  await page.route('**/v1/storage/**/files', (route) => route.abort('connectionrefused'));
  await page.getByLabel('Picture', { exact: true }).setInputFiles(await jpeg('pier', 8));
  await writeMessage(page, 'The pier');
  await writeMessage(page, 'And a second line');
  await expect(page.getByText('Waiting for the network')).toHaveCount(2);
  await page.reload();
  await expect(page.getByRole('img', { name: 'Being sent' })).toBeVisible();
  await expect(page.getByText('Waiting for the network')).toHaveCount(2);
  await page.unroute('**/v1/storage/**/files');
  await expect(picture(bensPage)).toBeVisible();
  await expect(bensPage.getByText('And a second line', { exact: true })).toBeVisible();
  await expect(page.getByText('Waiting for the network')).toHaveCount(0);
  await expect(picture(page)).toHaveCount(1);
});

test('a slow message holds up its own chat alone', async ({ join, open }) => {
  const ana = await join('Ana');
  const slow = await acceptedConversation(ana, await join('Ben'));
  const quick = await acceptedConversation(ana, await join('Cara'));
  const page = await open(ana);
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/sendMessage', async (route) => {
    if (route.request().postDataJSON().convoId === slow.id) await released;
    await route.continue();
  });
  await page.goto(slow.path);
  await writeMessage(page, 'Takes its time');
  await writeMessage(page, 'Waits for it');
  await expect(page.getByText('Sending…')).toBeVisible();
  await page.getByRole('link', { name: 'Back to the chats' }).click();
  await page
    .getByRole('main')
    .getByRole('link', { name: new RegExp(`^${quick.ben.name}`) })
    .click();
  await writeMessage(page, 'Quick one');
  await expect(page.getByText(/· Sent$/)).toBeVisible();
  release();
  const bensPage = await open(slow.ben);
  await bensPage.goto(slow.path);
  await expect(bensPage.getByText('Waits for it', { exact: true })).toBeVisible();
  await writeTo(slow.ben, slow.id, 'Got it');
  await expect(bensPage.getByText('Got it', { exact: true })).toBeVisible();
});
