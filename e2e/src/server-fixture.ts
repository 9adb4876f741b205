import { access, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  test as base,
  type Page,
  type TestInfo,
  type ViewportSize,
} from '@playwright/test';
import { accounts } from '@tara/contract/accounts/accounts';
import { adminWork } from '@tara/contract/admin';
import { freePort } from '@tara/server/platform/free-port';
import { clientKeys, startProvider, type TestProvider } from '@tara/server/testing/backend/oauth-provider';
import { type Nodes, openNodes } from './nodes/nodes.ts';
import { waitFor } from './outside.ts';
import { useDemoCodes } from './second-factor.ts';
import {
  acceptVerifications,
  confirmEmail,
  makeAdmin,
  newPerson,
  type Person,
  sendVerification,
  signIn,
  signUp,
} from './steps.ts';
import { openTara, type Tara } from './tara.ts';

interface Look
  extends Pick<
    BrowserContextOptions,
    'viewport' | 'colorScheme' | 'hasTouch' | 'isMobile' | 'serviceWorkers'
  > {
  /** Runs in each document before anything else. */
  initScript?: () => void;
}

interface Fixtures {
  /** A member of `tara` made through the API, with a confirmed email; the name gets a suffix that nobody else has. */
  join: (name: string) => Promise<Person>;
  /** The same, verified by the admin. */
  joinVerified: (name: string) => Promise<Person>;
  /** A page at `tara`, 1280 px wide unless given, signed in as a person of this server; null is a guest. */
  open: (who: Person | null, look?: Look) => Promise<Page>;
  /** The same for a test that reloads everything, or changes the page for good: clock, exposed functions. */
  openNew: (who: Person | null, look?: Omit<Look, 'initScript'>) => Promise<Page>;
  /** The same in the browser that people use: the one of the other tests may have no windows, and then it has no notifications. */
  openWindowed: Fixtures['openNew'];
  /** The same as `open` at `demo`, for a person of `demoPerson`. */
  openDemo: (who: Person | null, look?: Look) => Promise<Page>;
}

/** What a project of playwright.config.ts sets for its workers. */
export interface WorkerOptions {
  /** Nodes that serve `tara`, behind a proxy where it is more than one. */
  nodeCount: number;
}

interface WorkerFixtures extends WorkerOptions {
  /** Where people sign in beside Tara, for `nodes`. */
  provider: TestProvider;
  /** The nodes of `tara`; null where it is one server. */
  nodes: Nodes | null;
  /** The origin of a page of somebody else at another port, which `tara` allows; the test serves it. */
  otherOrigin: string;
  /** The same at another site. */
  otherSite: string;
  /** A server with an empty database, of the worker: its specs share it, so each makes its own people. */
  tara: Tara;
  /** The admin of `tara`. */
  admin: Person;
  /** A server with the demo world, of the worker. Its specs change nothing that is stored. */
  demo: Tara;
  /** A demo account by its name, such as `ana`. */
  demoPerson: (name: string) => Promise<Person>;
  /** Where `open` takes its pages from. */
  pool: PagePool;
  /** Chromium with windows, though it shows none here. */
  windowed: Browser;
}

/** The password of all demo accounts, as on the sign-in page. */
const demoPassword = 'tara-demo-2026';

async function signInAtDemo({ url }: Tara, name: string): Promise<Person> {
  const person = await signIn(url, `${name}@demo.tara`, demoPassword);
  const { account } = await person.client.call(accounts.session);
  if (account.secondFactor !== null) {
    useDemoCodes(person.client, person.email);
    await person.client.call(adminWork.counts);
  }
  return person;
}

export const uniqueName = (name: string) => `${name} ${Math.random().toString(36).slice(2, 7)}`;

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

/** The size of a page unless a test names one, px. */
const desktop = { width: 1280, height: 800 };

/** Pages of a worker that were used by a test and are as new: an address loads in them in a quarter of the time. */
class PagePool {
  readonly #browser: Browser;
  readonly #idle = new Map<string, Page[]>();
  /** What belongs to a page on loan. */
  readonly #loans = new Map<Page, { key: string; baseURL: string; viewport: ViewportSize }>();

  constructor(browser: Browser) {
    this.#browser = browser;
  }

  async borrow(baseURL: string, who: Person | null, { initScript, ...look }: Look = {}): Promise<Page> {
    const key = JSON.stringify([baseURL, look, String(initScript)]);
    let page = this.#idle.get(key)?.pop();
    if (!page) {
      page = await (await newContext(this.#browser, baseURL, look)).newPage();
      if (initScript) await page.addInitScript(initScript);
    }
    this.#loans.set(page, { key, baseURL, viewport: look.viewport ?? desktop });
    if (who) await page.context().addCookies(who.client.browserCookies);
    return page;
  }

  /** Takes a page back, without anything that a test left in it. */
  async giveBack(page: Page): Promise<void> {
    const loan = this.#loans.get(page);
    if (!loan || page.isClosed()) return page.context().close();
    const context = page.context();
    page.removeAllListeners();
    await page.setViewportSize(loan.viewport);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await context.setOffline(false);
    await context.clearCookies();
    await context.clearPermissions();
    // No screen, so that nothing is written any more; of the same origin, because its storage is cleared.
    await page.goto('/favicon.svg');
    await page.evaluate(() => sessionStorage.clear());
    const devTools = await context.newCDPSession(page);
    await devTools.send('Storage.clearDataForOrigin', { origin: loan.baseURL, storageTypes: 'all' });
    await devTools.detach();
    this.#idle.set(loan.key, [...(this.#idle.get(loan.key) ?? []), page]);
  }
}

const newContext = (browser: Browser, baseURL: string, look: Omit<Look, 'initScript'>) =>
  // Without the stored app, whose requests a test would not see.
  browser.newContext({
    ...{ baseURL, viewport: desktop, reducedMotion: 'reduce', serviceWorkers: 'block' },
    ...look,
  });

/** Nobody signs in at Apple. */
const newAppleKeys = () =>
  crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign', 'verify']);

/** Pages of the pool for one test. */
async function withPages(
  pool: PagePool,
  { url }: Tara,
  testInfo: TestInfo,
  use: (open: Fixtures['open']) => Promise<void>,
): Promise<void> {
  const pages: Page[] = [];
  await use(async (who, look) => {
    await who?.client.renewProofs();
    const page = await pool.borrow(url, who, look);
    pages.push(page);
    return page;
  });
  // After a failure the worker ends, with all of its pages.
  if (testInfo.status !== testInfo.expectedStatus) return;
  for (const page of pages) await pool.giveBack(page);
}

/** Pages of one test, each in a context of its own. */
async function withContexts(
  browser: Browser,
  { url }: Tara,
  use: (openNew: Fixtures['openNew']) => Promise<void>,
): Promise<void> {
  const contexts: BrowserContext[] = [];
  await use(async (who, look = {}) => {
    const context = await newContext(browser, url, look);
    contexts.push(context);
    if (who) await context.addCookies(who.client.browserCookies);
    return context.newPage();
  });
  for (const context of contexts) await context.close();
}

export const test = base.extend<Fixtures, WorkerFixtures>({
  otherOrigin: [
    async ({ browserName: _ }, use) => {
      await use(`http://localhost:${await freePort()}`);
    },
    { scope: 'worker' },
  ],
  otherSite: [
    async ({ otherOrigin }, use) => {
      await use(otherOrigin.replace('localhost', '127.0.0.1'));
    },
    { scope: 'worker' },
  ],
  nodeCount: [1, { scope: 'worker', option: true }],
  provider: [
    async ({ browserName: _ }, use) => {
      const provider = await startProvider({ appleKey: (await newAppleKeys()).publicKey });
      await use(provider);
      await provider.close();
    },
    { scope: 'worker' },
  ],
  nodes: [
    async ({ nodeCount, provider, otherOrigin, otherSite }, use) => {
      if (nodeCount === 1) return use(null);
      const nodes = await openNodes({
        count: nodeCount,
        env: {
          ALLOWED_ORIGINS: `${otherOrigin},${otherSite}`,
          ...{ OIDC_CLIENT_ID: clientKeys.id, OIDC_CLIENT_SECRET: clientKeys.secret },
          OIDC_ISSUER: provider.url,
        },
      });
      await use(nodes);
      const counts = await nodes.countRequests();
      await nodes.remove();
      const total = counts.reduce((sum, requests) => sum + requests, 0);
      // A spec may stop one of them for a while.
      if (counts.some((requests) => requests < total / 20))
        throw new Error(`The nodes did not share the requests: ${counts.join(', ')}.`);
      return undefined;
    },
    { scope: 'worker', timeout: 240_000 },
  ],
  tara: [
    async ({ nodes, otherOrigin, otherSite }, use) => {
      if (nodes !== null) return use(nodes);
      const tara = await openTara({ env: { ALLOWED_ORIGINS: `${otherOrigin},${otherSite}` } });
      await use(tara);
      return tara.remove();
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  admin: [
    async ({ tara }, use) => {
      const admin = newPerson(tara, uniqueName('Boss'));
      await signUp(tara, admin);
      await confirmEmail(tara, admin);
      await makeAdmin(tara, admin);
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
        const person = people.get(name) ?? signInAtDemo(demo, name);
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
  pool: [
    async ({ browser }, use) => {
      await use(new PagePool(browser));
    },
    { scope: 'worker' },
  ],
  open: async ({ pool, tara }, use, testInfo) => withPages(pool, tara, testInfo, use),
  windowed: [
    async ({ playwright, launchOptions }, use) => {
      const executablePath = process.env.WINDOWED_CHROMIUM_PATH ?? '/usr/bin/chromium';
      const windowed = await playwright.chromium.launch({ ...launchOptions, executablePath });
      await use(windowed);
      await windowed.close();
    },
    { scope: 'worker' },
  ],
  openNew: async ({ browser, tara }, use) => withContexts(browser, tara, use),
  openWindowed: async ({ windowed, tara }, use) => withContexts(windowed, tara, use),
  openDemo: async ({ pool, demo }, use, testInfo) => withPages(pool, demo, testInfo, use),
});
export { expect } from '@playwright/test';
