import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';

/** The rules whose verdict depends on the theme. */
const colorRules = ['color-contrast', 'link-in-text-block'];

/** What axe objects to on a page, by rule with the elements; `colors` checks the rules for colors alone. */
export async function findViolations(page: Page, { colors = false } = {}): Promise<string[]> {
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
