import { access, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Browser, type BrowserContextOptions, test as base, type Page } from '@playwright/test';
import { waitFor } from './outside.ts';
import {
  acceptVerifications,
  confirmEmail,
  newPerson,
  type Person,
  sendVerification,
  signIn,
  signUp,
} from './steps.ts';
import { openTara, type Tara } from './tara.ts';

type Look = Pick<BrowserContextOptions, 'viewport' | 'colorScheme' | 'hasTouch' | 'isMobile'>;

interface Fixtures {
  /** A member of `tara` made through the API, with a confirmed email; the name gets a suffix that nobody else has. */
  join: (name: string) => Promise<Person>;
  /** The same, verified by the admin. */
  joinVerified: (name: string) => Promise<Person>;
  /** A page at `tara`, 1280 px wide unless given, signed in as a person of this server; null is a guest. */
  open: (who: Person | null, look?: Look) => Promise<Page>;
  /** The same at `demo`, for a person of `demoPerson`. */
  openDemo: (who: Person | null, look?: Look) => Promise<Page>;
}

interface WorkerFixtures {
  /** A server with an empty database, of the worker: its specs share it, so each makes its own people. */
  tara: Tara;
  /** The admin of `tara`. */
  admin: Person;
  /** A server with the demo world, of the worker. Its specs change nothing that is stored. */
  demo: Tara;
  /** A demo account by its name, such as `ana`. */
  demoPerson: (name: string) => Promise<Person>;
}

/** The password of all demo accounts, as on the sign-in page. */
const demoPassword = 'tara-demo-2026';

const uniqueName = (name: string) => `${name} ${Math.random().toString(36).slice(2, 7)}`;

/** The folder of the demo world, made once in a run by the first worker that needs it (global-setup.ts). */
async function demoFolder(): Promise<string> {
  const folder = process.env.TARA_E2E_FOLDER ?? '';
  const data = join(folder, 'demo');
  const isMade = () =>
    access(join(folder, 'demo-made')).then(
      () => true,
      () => false,
    );
  const isFirst = await mkdir(data).then(
    () => true,
    () => false,
  );
  if (isFirst) {
    const tara = await openTara({ flags: [], dataDir: data });
    await tara.stop();
    await writeFile(join(folder, 'demo-made'), '');
  } else await waitFor('demo world', isMade, { timeoutMs: 180_000 });
  return data;
}

/** Pages that are closed after the test. */
async function withPages(
  browser: Browser,
  { url }: Tara,
  use: (open: Fixtures['open']) => Promise<void>,
): Promise<void> {
  const pages: Page[] = [];
  await use(async (who, look) => {
    const context = await browser.newContext({
      baseURL: url,
      viewport: { width: 1280, height: 800 },
      reducedMotion: 'reduce',
      ...look,
    });
    if (who) await context.addCookies(who.client.browserCookies);
    const page = await context.newPage();
    pages.push(page);
    return page;
  });
  for (const page of pages) await page.context().close();
}

export const test = base.extend<Fixtures, WorkerFixtures>({
  tara: [
    async ({ browserName: _ }, use) => {
      const tara = await openTara();
      await use(tara);
      await tara.remove();
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  admin: [
    async ({ tara }, use) => {
      const admin = newPerson(tara, uniqueName('Boss'));
      await signUp(tara, admin);
      await confirmEmail(tara, admin);
      await tara.admin('grant', admin.email);
      await use(admin);
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  demo: [
    async ({ browserName: _ }, use) => {
      const demo = await openTara({ flags: [], copyFrom: await demoFolder() });
      await use(demo);
      await demo.remove();
    },
    { scope: 'worker', timeout: 240_000 },
  ],
  demoPerson: [
    async ({ demo }, use) => {
      const people = new Map<string, Promise<Person>>();
      await use(async (name) => {
        const person = people.get(name) ?? signIn(demo.url, `${name}@demo.tara`, demoPassword);
        people.set(name, person);
        return person;
      });
    },
    { scope: 'worker' },
  ],
  join: async ({ tara }, use) => {
    await use(async (name) => {
      const person = newPerson(tara, uniqueName(name));
      await signUp(tara, person);
      await confirmEmail(tara, person);
      return person;
    });
  },
  joinVerified: async ({ join: joinAs, admin }, use) => {
    await use(async (name) => {
      const person = await joinAs(name);
      await sendVerification(person, 1);
      await acceptVerifications(admin);
      return person;
    });
  },
  open: async ({ browser, tara }, use) => withPages(browser, tara, use),
  openDemo: async ({ browser, demo }, use) => withPages(browser, demo, use),
});
export { expect } from '@playwright/test';
