import { test as base } from '@playwright/test';
import { openTara, type Tara } from './tara.ts';

/** Tests with a server and an empty database of their own, or with the demo world. */
export const test = base.extend<object, { tara: Tara; demo: Tara }>({
  tara: [
    async ({ browserName: _ }, use) => {
      const tara = await openTara();
      await use(tara);
      await tara.remove();
    },
    { scope: 'worker', timeout: 60_000 },
  ],
  demo: [
    async ({ browserName: _ }, use) => {
      const tara = await openTara([]);
      await use(tara);
      await tara.remove();
    },
    { scope: 'worker', timeout: 120_000 },
  ],
});
export { expect } from '@playwright/test';
