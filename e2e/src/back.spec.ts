import { acceptedConversation } from './chats.ts';
import { expect, test } from './server-fixture.ts';
import { createPost } from './steps.ts';

const isPhone = (width: number) => width < 768;

for (const viewport of [
  { width: 390, height: 844 },
  { width: 1280, height: 800 },
]) {
  test(`Back closes what is open over a screen and then leaves it, ${viewport.width} px wide`, async ({
    join,
    openNew,
  }) => {
    const ana = await join('Ana');
    const id = await createPost(ana, 'A day at the sea');
    const page = await openNew(ana, { viewport });
    await page.goto('/');
    await page.getByRole('main').getByText('A day at the sea').first().waitFor();
    await page.goto(`/post/${id}`);
    const picture = page.getByRole('button', { name: 'Open the picture full screen' });
    const ownMenu = page.getByRole('button', { name: 'Your profile and settings' });
    const overlays = [
      { name: 'picture', opener: picture, overlay: page.getByRole('dialog') },
      {
        name: isPhone(viewport.width) ? 'drawer' : 'dialog',
        opener: page.getByRole('button', { name: 'Delete post' }),
        overlay: page.getByRole('dialog'),
      },
      ...(isPhone(viewport.width)
        ? [{ name: 'own sheet', opener: ownMenu, overlay: page.getByRole('dialog') }]
        : []),
    ];
    for (const { name, opener, overlay } of overlays) {
      await opener.click();
      await expect(overlay, name).toBeVisible();
      await page.goBack();
      await expect(overlay, name).toBeHidden();
      await expect(picture, name).toBeVisible();
      // Closed by itself it leaves no entry: the last Back of this test leaves the screen at once.
      await opener.click();
      await expect(overlay, name).toBeVisible();
      await page.keyboard.press('Escape');
      await expect(overlay, name).toBeHidden();
    }
    if (isPhone(viewport.width)) {
      // A page that the sheet leads to takes the place of the sheet.
      await ownMenu.click();
      await page.getByRole('dialog').getByRole('link', { name: 'Settings' }).click();
      await expect(page.getByRole('heading', { name: 'Settings' })).toBeVisible();
      // The button in the header of inner screens.
      await page.getByRole('banner').getByRole('button', { name: 'Back' }).click();
      await expect(picture).toBeVisible();
    }
    await page.goBack();
    await expect(page).toHaveURL(/[/]$/);
  });
}

test('a toast covers neither the field nor the button of a chat', async ({ join, openNew }) => {
  const { ana, path } = await acceptedConversation(await join('Ana'), await join('Ben'));
  const page = await openNew(ana, { viewport: { width: 390, height: 844 } });
  await page.goto(path);
  const field = page.getByRole('textbox', { name: 'Message' });
  await field.fill('On my way');
  await page
    .getByLabel('Picture', { exact: true })
    .setInputFiles({ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('no picture') });
  const toast = page.getByRole('region', { name: /^Notification/ }).getByRole('listitem');
  await expect(toast).toBeVisible();
  const [shown, written, send] = await Promise.all(
    [toast, field, page.getByRole('button', { name: 'Send' })].map(async (element) => {
      const box = await element.boundingBox();
      return { top: box?.y ?? 0, bottom: (box?.y ?? 0) + (box?.height ?? 0) };
    }),
  );
  for (const below of [written, send])
    expect((shown?.bottom ?? 0) <= (below?.top ?? 0), JSON.stringify({ shown, below })).toBe(true);
});
