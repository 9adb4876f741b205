import type { Page } from '@playwright/test';
import { account } from '@tara/contract/accounts/accounts';
import { profiles } from '@tara/contract/members/profiles';
import { receipts } from '@tara/contract/messages/receipts';
import { plans } from '@tara/contract/plans/plans';
import { posts } from '@tara/contract/posts/posts';
import { waitUntilDrawn } from './axe.ts';
import { linkInMail } from './outside.ts';
import { smallPhoto } from './photos.ts';
import { expect, test } from './server-fixture.ts';
import { reachStage, readProfile } from './steps.ts';

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

test('the watch sees a script where markup is not escaped', async ({ page }) => {
  const seen = await watch(page);
  await page.goto('data:text/html,<p>');
  await page.setContent(`<p>${image}</p>`);
  await expect.poll(() => seen).toContain('dialog: 1');
});

test('a stored script runs on no screen and in no mail (threat-stored-xss)', async ({
  tara,
  admin,
  joinVerified,
  openNew,
}) => {
  const [ana, ben] = [await joinVerified('Ana'), await joinVerified('Ben')];
  const { chatId } = await reachStage({ creator: ana, client: ben, admin }, 'chatting');
  const profile = await readProfile(ana);
  const upload = async () => (await ana.client.upload('images', await smallPhoto(5))).$id;
  const post = await ana.client.call(posts.create, {
    body: {
      caption: everything,
      location: closed,
      tags: `${image},${script}`,
      alt: closed,
      imageId: await upload(),
    },
  });
  const plan = await ana.client.call(plans.create, {
    body: {
      title: image,
      desc: everything,
      time: 'noon',
      price: 0,
      terms: everything,
      imageId: await upload(),
    },
  });
  await ana.client.call(profiles.updateAbout, {
    body: {
      bio: everything,
      hobby: image,
      lookingFor: script,
      workingAs: image,
      education: image,
      gender: '<b onclick=1>',
      birthDate: '1995-06-15',
      phoneNumber: '09171234567',
    },
  });
  await ana.client.call(receipts.sendMessage, {
    body: { conversation: chatId, message: everything, clientKey: 'stored-script-1' },
  });
  const [anasPage, bensPage] = [await openNew(ana), await openNew(ben)];
  const seen = new Map([
    [anasPage, await watch(anasPage)],
    [bensPage, await watch(bensPage)],
  ]);
  const chat = `/manage-plans/conversation-receipt/${encodeURIComponent(chatId)}`;

  const screens: Array<[Page, string, string]> = [
    [anasPage, '/', image],
    [bensPage, '/explore', ''],
    [bensPage, `/post/${post.id}`, script],
    [anasPage, `/update-post/${post.id}`, ''],
    [bensPage, '/all-users', ''],
    [bensPage, `/profile/${profile.id}`, ''],
    [anasPage, '/update-profile?tab=info', ''],
    [bensPage, `/profile/plans/${profile.id}`, ''],
    [bensPage, `/profile/plan-details/${plan.id}`, script],
    [anasPage, chat, script],
  ];
  for (const [page, path, text] of screens) {
    await page.goto(path);
    await waitUntilDrawn(page);
    // Shown as it was written.
    if (text) await expect(page.getByText(text).first()).toBeVisible();
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))));
    expect([path, ...(seen.get(page) ?? [])]).toEqual([path]);
  }

  await test.step('a mail whose link carries one', async () => {
    const url = `${tara.url}/reset-password?note=${encodeURIComponent(closed)}`;
    await ben.client.call(account.createRecovery, { body: { email: ben.email, url } });
    await linkInMail(tara, ben.email, '/reset-password');
    await bensPage.goto(`/mailbox/?to=${encodeURIComponent(ben.email)}`);
    await expect(bensPage.getByText('Set a new password for Tara').first()).toBeVisible();
    await bensPage.goto(`/mailbox/?to=${encodeURIComponent(everything)}`);
    expect(seen.get(bensPage)).toEqual([]);
  });

  for (const path of ['/sign-up', '/sign-in', '/verification-message']) {
    await bensPage.goto(`${path}?username=${encodeURIComponent(everything)}`);
    await waitUntilDrawn(bensPage);
    expect([path, ...(seen.get(bensPage) ?? [])]).toEqual([path]);
  }
});
