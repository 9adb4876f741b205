import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/** The rules whose verdict depends on the theme. */
const colorRules = ['color-contrast', 'link-in-text-block'];

/** Waits for the heading, the content behind skeletons, the fonts, and the visible pictures. */
export async function waitUntilDrawn(page: Page): Promise<void> {
  await expect(page.locator('main h1').first()).toBeAttached();
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
  await page.evaluate(async () => {
    await document.fonts.ready;
    // Others may be lazy and never load: further down, or folded away.
    const shown = [...document.images].filter(
      (image) => image.checkVisibility() && image.getBoundingClientRect().top < innerHeight,
    );
    // A picture that cannot be read is drawn as such.
    await Promise.all(shown.map((image) => image.decode().catch(() => undefined)));
    await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
  });
}

/**
 * What axe objects to on a page, by rule with the elements, once the screen is drawn; `colors` checks the rules for
 * colors alone. What opens on the screen, such as a dialog, is waited for by the caller.
 */
export async function findViolations(page: Page, { colors = false } = {}): Promise<string[]> {
  await waitUntilDrawn(page);
  // The other mode opens a page for each analysis to join those of frames from elsewhere; there are none.
  const axe = new AxeBuilder({ page }).setLegacyMode(true).options({
    // Off unless asked for, and part of Lighthouse's score.
    rules: { 'target-size': { enabled: true } },
  });
  const { violations } = await (colors ? axe.withRules(colorRules) : axe).analyze();
  return violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' | ')}`,
  );
}
