import type { Browser, Page } from '@playwright/test';
import { jpeg } from './people.ts';
import { expect, test } from './server-fixture.ts';

/** Texts that run if a screen or mail inserts them as markup; short enough for every field. */
const image = '<img src=x onerror=alert(1)>';
const script = '<script>alert(1)</script>';
const closed = '"><svg onload=alert(1)>';
const everything = `${image} ${script} ${closed} javascript:alert(1)`;

/** Records scripts that ran on a page or were blocked by its policy: both mean that a text became markup. */
async function watch(page: Page): Promise<string[]> {
  const seen: string[] = [];
  page.on('dialog', (dialog) => {
    seen.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  await page.exposeFunction('reportViolation', (directive: string) => {
    if (/script|trusted/.test(directive)) seen.push(`stopped: ${directive}`);
  });
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) =>
      Reflect.get(window, 'reportViolation')(effectiveDirective),
    );
  });
  return seen;
}

async function signIn(browser: Browser, url: string, who: string) {
  const context = await browser.newContext({ baseURL: url, viewport: { width: 1280, height: 800 } });
  const data = { email: `${who}@demo.tara`, password: 'tara-demo-2026' };
  const answer = await context.request.post('/v1/account/sessions/email', { data });
  expect(answer.status(), `signing in as ${who}`).toBe(201);
  const page = await context.newPage();
  const post = async (path: string, body: object) => {
    const reply = await context.request.post(path, { data: body });
    expect(reply.status(), `${path}: ${await reply.text()}`).toBe(200);
    return reply.json();
  };
  return { page, post, context, seen: await watch(page) };
}

test('the watch sees a script where markup is not escaped', async ({ page }) => {
  const seen = await watch(page);
  await page.goto('data:text/html,<p>');
  await page.setContent(`<p>${image}</p>`);
  await expect.poll(() => seen).toContain('dialog: 1');
});

test('a stored script runs on no screen and in no mail', async ({ browser, demo }) => {
  const ana = await signIn(browser, demo.url, 'ana');
  const ben = await signIn(browser, demo.url, 'ben');
  const { profile } = await (await ana.context.request.get('/api/account/session')).json();

  const file = await jpeg('sea', 5);
  const upload = async () => {
    const reply = await ana.context.request.post('/v1/storage/buckets/images/files', {
      multipart: { fileId: 'unique()', file },
    });
    expect(reply.status(), await reply.text()).toBe(201);
    return (await reply.json()).$id;
  };
  const post = await ana.post('/api/post/create', {
    caption: everything,
    location: closed,
    tags: `${image},${script}`,
    alt: closed,
    imageId: await upload(),
  });
  const plan = await ana.post('/api/plan/create', {
    title: image,
    desc: everything,
    time: 'noon',
    price: '0',
    terms: everything,
    imageId: await upload(),
  });
  await ana.post('/api/profile/updateAbout', {
    bio: everything,
    hobby: image,
    lookingFor: script,
    workingAs: image,
    education: image,
    gender: '<b onclick=1>',
    birthDate: profile.bDay,
    phoneNumber: profile.phoneNumber,
  });
  await ana.page.goto('/manage-plans');
  const chatLink = ana.page.locator('a[href^="/manage-plans/conversation-receipt/"]').first();
  const chat = (await chatLink.getAttribute('href')) ?? '';
  await ana.post('/api/plan/sendMessage', {
    conversation: decodeURIComponent(chat.split('/').at(-1)?.split('?')[0] ?? ''),
    message: everything,
    clientKey: 'stored-script-1',
  });

  const screens: Array<[typeof ana, string, string]> = [
    [ana, '/', image],
    [ben, '/explore', ''],
    [ben, `/post/${post.id}`, script],
    [ana, `/update-post/${post.id}`, ''],
    [ben, '/all-users', ''],
    [ben, `/profile/${profile.id}`, ''],
    [ana, '/update-profile?tab=info', ''],
    [ben, `/profile/plans/${profile.id}`, ''],
    [ben, `/profile/plan-details/${plan.id}`, script],
    [ana, chat, script],
  ];
  for (const [who, path, text] of screens) {
    await who.page.goto(path);
    await expect(who.page.getByRole('heading', { level: 1 }).first()).toBeAttached();
    // Shown as it was written.
    if (text) await expect(who.page.getByText(text).first()).toBeVisible();
    await who.page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))));
    expect([path, ...who.seen]).toEqual([path]);
  }

  await test.step('a mail whose link carries one', async () => {
    const link = `${demo.url}/reset-password?note=${encodeURIComponent(closed)}`;
    const reply = await ben.context.request.post('/v1/account/recovery', {
      data: { email: 'ben@demo.tara', url: link },
    });
    expect(reply.status(), await reply.text()).toBe(201);
    const mail = ben.page.getByText('Set a new password for Tara').first();
    await expect(async () => {
      await ben.page.goto('/mailbox/?to=ben@demo.tara');
      await expect(mail).toBeVisible({ timeout: 1_000 });
    }).toPass({ timeout: 20_000 });
    await ben.page.goto(`/mailbox/?to=${encodeURIComponent(everything)}`);
    expect(ben.seen).toEqual([]);
  });

  for (const path of ['/sign-up', '/sign-in', '/verification-message']) {
    await ben.page.goto(`${path}?username=${encodeURIComponent(everything)}`);
    expect([path, ...ben.seen]).toEqual([path]);
  }
  for (const { context } of [ana, ben]) await context.close();
});
