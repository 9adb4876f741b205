import type { Page } from '@playwright/test';
import { waitUntilDrawn } from './axe.ts';
import { expect, test } from './server-fixture.ts';

/** 400 kbit/s and 400 ms, without a cache: each tap loads the code of its screen. */
async function slowDown(page: Page): Promise<void> {
  const devTools = await page.context().newCDPSession(page);
  await devTools.send('Network.enable');
  await devTools.send('Network.setCacheDisabled', { cacheDisabled: true });
  await devTools.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 400,
    downloadThroughput: 50_000,
    uploadThroughput: 50_000,
  });
}

/** Looks at each frame whether a part of the shell is away, until the returned function is called, which says of each how often. */
async function watchShell(page: Page, selectors: string[]): Promise<() => Promise<Record<string, number>>> {
  const watch = await page.evaluateHandle((watched) => {
    const missing = Object.fromEntries(watched.map((selector) => [selector, 0]));
    const state = { missing, isOver: false };
    const look = () => {
      for (const selector of watched)
        if (![...document.querySelectorAll(selector)].some((part) => part.checkVisibility()))
          missing[selector] = (missing[selector] ?? 0) + 1;
      if (!state.isOver) requestAnimationFrame(look);
    };
    look();
    return state;
  }, selectors);
  return () =>
    watch.evaluate((state) => {
      state.isOver = true;
      return state.missing;
    });
}

/** What stays around every screen: the logo of the header or the sidebar, and the navigation. */
const shell = ['a[aria-label="Tara, home"]', 'nav[aria-label=Main]'];

for (const viewport of [
  { width: 390, height: 844 },
  { width: 1280, height: 800 },
]) {
  test(`the first tap on each entry of the navigation keeps the shell on a slow line, ${viewport.width} px wide`, async ({
    join,
    openNew,
  }) => {
    const page = await openNew(await join('Ana'), { viewport });
    await page.goto('/');
    await waitUntilDrawn(page);
    await slowDown(page);
    const entries = page.getByRole('navigation', { name: 'Main' }).getByRole('link');
    const addresses = await entries.evaluateAll((links) => links.map((link) => link.getAttribute('href')));
    expect(addresses.length).toBeGreaterThanOrEqual(5);
    for (const [index, address] of addresses.entries()) {
      if (address === '/') continue;
      await page.goto('/');
      await waitUntilDrawn(page);
      const endWatch = await watchShell(page, shell);
      await entries.nth(index).click();
      await expect(page).toHaveURL(new RegExp(`${address}(\\?|$)`));
      await waitUntilDrawn(page);
      expect(await endWatch(), address ?? '').toEqual(Object.fromEntries(shell.map((part) => [part, 0])));
    }
  });
}

test('before any code is here, a page shows the logo, and to members the places of the bars', async ({
  join,
  openNew,
}) => {
  const page = await openNew(await join('Ana'), { viewport: { width: 390, height: 844 } });
  const arrived = Promise.withResolvers<void>();
  const firstPaint = page.locator('#first-paint');
  await page.goto('/');
  await waitUntilDrawn(page);
  await expect(firstPaint).toBeHidden();
  await page.route('**/assets/**', async (route) => {
    await arrived.promise;
    await route.continue();
  });
  await page.reload({ waitUntil: 'commit' });
  await expect(firstPaint.getByText('Tara')).toBeVisible();
  await expect(firstPaint.locator('.links')).toBeVisible();
  arrived.resolve();
  await waitUntilDrawn(page);
  await expect(firstPaint).toBeHidden();
  await expect(page.locator('main')).toBeVisible();
});
