import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, type Page } from '@playwright/test';
import type axe from 'axe-core';

/** The script that is run in pages; `axe.source` is twice as large, which each document has to parse. */
const script = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/** Groups of rules: those whose verdict depends on the theme, and those whose verdict depends on the size of the text. */
const ruleGroups = {
  colors: ['color-contrast', 'link-in-text-block'],
  sizes: ['target-size', 'scrollable-region-focusable'],
};

/** Waits for the heading, the content behind skeletons, the fonts, and the visible pictures. */
export async function waitUntilDrawn(page: Page): Promise<void> {
  await expect(page.locator('main h1').first()).toBeAttached();
  // A button may be: while it waits for a password, say.
  await expect(page.locator('[aria-busy=true]:not(button)')).toHaveCount(0);
  await page.evaluate(async () => {
    await document.fonts.ready;
    // Others may be lazy and never load: elsewhere on the page, or folded away.
    const shown = [...document.images].filter((image) => {
      const { top, right, bottom, left } = image.getBoundingClientRect();
      const isInView = bottom > 0 && right > 0 && top < innerHeight && left < innerWidth;
      return isInView && image.checkVisibility();
    });
    // A picture that cannot be read is drawn as such.
    await Promise.all(shown.map((image) => image.decode().catch(() => undefined)));
    await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
  });
}

/**
 * What axe objects to on a page, by rule with the elements, once the screen is drawn; `only` checks one group of
 * rules. What opens on the screen, such as a dialog, is waited for by the caller.
 */
export async function findViolations(
  page: Page,
  { only }: { only?: keyof typeof ruleGroups } = {},
): Promise<string[]> {
  await waitUntilDrawn(page);
  // Once for each document: the source is large.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(script);
  const options: axe.RunOptions = {
    // Off unless asked for, and part of Lighthouse's score.
    rules: { 'target-size': { enabled: true } },
    ...(only === undefined ? {} : { runOnly: ruleGroups[only] }),
    resultTypes: ['violations'],
    // Style sheets would be read for one experimental rule, which is off.
    preload: { assets: ['media'] },
  };
  return page.evaluate(async (runOptions) => {
    const runner: typeof axe = Reflect.get(window, 'axe');
    const { violations } = await runner.run(document, runOptions);
    return violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' | ')}`,
    );
  }, options);
}
