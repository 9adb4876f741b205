import AxeBuilder from '@axe-core/playwright';
import type { Browser, Page } from '@playwright/test';
import { expect, test } from './server-fixture.ts';

/** The password of all demo accounts, as on the sign-in page. */
const demoPassword = 'tara-demo-2026';

const looks = [
  { width: 390, height: 844, colorScheme: 'light' },
  { width: 390, height: 844, colorScheme: 'dark' },
  { width: 1280, height: 800, colorScheme: 'light' },
  { width: 1280, height: 800, colorScheme: 'dark' },
] as const;

async function open(browser: Browser, url: string, look: (typeof looks)[number], who: string | null) {
  const { colorScheme, ...viewport } = look;
  const context = await browser.newContext({ baseURL: url, viewport, colorScheme, reducedMotion: 'reduce' });
  if (who) {
    const data = { email: `${who}@demo.tara`, password: demoPassword };
    const answer = await context.request.post('/v1/account/sessions/email', { data });
    expect(answer.status(), `signing in as ${who}`).toBe(201);
  }
  const page = await context.newPage();
  // The cumulative layout shift (0 is none).
  await page.addInitScript(() => {
    Object.assign(window, { shifted: 0 });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as Array<
        PerformanceEntry & { value: number; hadRecentInput: boolean }
      >) {
        if (!entry.hadRecentInput)
          Object.assign(window, { shifted: Reflect.get(window, 'shifted') + entry.value });
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
  return page;
}

/** Waits for the heading, the content behind skeletons, the fonts, and the visible pictures. */
async function waitUntilDrawn(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { level: 1 }).first()).toBeAttached();
  await expect(page.locator('main [aria-busy=true]')).toHaveCount(0);
  await page.evaluate(async () => {
    await document.fonts.ready;
    const shown = [...document.images].filter((image) => image.getBoundingClientRect().top < innerHeight);
    // A picture that cannot be read is drawn as such.
    await Promise.all(shown.map((image) => image.decode().catch(() => undefined)));
    await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
  });
}

async function judge(page: Page, path: string): Promise<void> {
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  await page.goto(path);
  await waitUntilDrawn(page);
  const { violations } = await new AxeBuilder({ page }).analyze();
  const lines = violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' | ')}`,
  );
  expect.soft(lines, `axe on ${path}`).toEqual([]);
  const beyond = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect.soft(beyond, `pixels beyond the right edge of ${path}`).toBeLessThanOrEqual(0);
  const shifted: number = await page.evaluate(() => Reflect.get(window, 'shifted'));
  expect.soft(shifted, `layout shift of ${path}`).toBeLessThan(0.05);
  expect.soft(errors, `errors on ${path}`).toEqual([]);
}

/** The first address on a page whose path begins so. */
async function addressOf(page: Page, path: string, begins: string): Promise<string> {
  await page.goto(path);
  const link = page.locator(`a[href^="${begins}"]`).first();
  await link.waitFor({ state: 'attached' });
  return (await link.getAttribute('href')) ?? '';
}

const guestScreens = [
  '/sign-in',
  '/sign-up',
  '/verification-message',
  '/confirming',
  '/recovery',
  '/nowhere',
];

for (const look of looks) {
  const name = `${look.width} px, ${look.colorScheme}`;

  test(`every screen is sound: guests, ${name}`, async ({ browser, demo }) => {
    const page = await open(browser, demo.url, look, null);
    for (const path of guestScreens) await judge(page, path);
    await page.context().close();
  });

  test(`every screen is sound: a creator, ${name} (§6-member)`, async ({ browser, demo }) => {
    const page = await open(browser, demo.url, look, 'ana');
    const id = (await (await page.request.get('/api/account/session')).json()).profile.id;
    const chat = await addressOf(page, '/manage-plans', '/manage-plans/conversation-receipt/');
    const post = await addressOf(page, '/', '/post/');
    const own = await addressOf(page, `/profile/${id}`, '/post/');
    const other = await addressOf(page, '/all-users', '/profile/');
    const screens = [
      '/',
      '/explore',
      '/explore?search=sea',
      '/all-users',
      '/saved',
      '/create-post',
      post,
      `${own}/likes`,
      `/profile/${id}`,
      other,
      '/update-profile',
      '/update-profile?tab=info',
      '/verifying-identity',
      '/chats',
      `/profile/plans/${id}`,
      `/profile/create-plans/${id}`,
      '/manage-plans',
      '/manage-plans?tab=friendRequest',
      `/profile/friend-request/${id}`,
      `/profile/history/${id}`,
      chat,
    ];
    for (const path of screens) await judge(page, path);
    await page.context().close();
  });

  test(`every screen is sound: a client and an admin, ${name}`, async ({ browser, demo }) => {
    const client = await open(browser, demo.url, look, 'lia');
    const id = (await (await client.request.get('/api/account/session')).json()).profile.id;
    const list = await (await client.request.get('/api/plan/interactions/history')).json();
    const [request] = list.items;
    const ben = await open(browser, demo.url, look, 'ben');
    const written = await (await ben.request.get('/api/plan/interactions/history')).json();
    const { reviewId, planId } = written.items.find((item: { reviewId: string | null }) => item.reviewId);
    for (const path of [`/profile/history/${id}`, `/write-a-review/${request.id}`]) await judge(client, path);
    for (const path of [`/review-details/${reviewId}`, `/profile/plan-details/${planId}`])
      await judge(ben, path);
    const admin = await open(browser, demo.url, look, 'tala');
    const [waiting] = (await (await admin.request.get('/api/verification/pending')).json()).items;
    const [fulfilled] = (await (await admin.request.get('/api/admin/awaitingPlans')).json()).items;
    const work = [
      '/verify-users',
      `/verify-users?open=${waiting.id}`,
      '/confirm-plans',
      `/confirm-plans?open=${fulfilled.id}`,
    ];
    for (const path of work) await judge(admin, path);
    for (const page of [client, ben, admin]) await page.context().close();
  });
}
