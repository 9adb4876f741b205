import { notices } from '@tara/contract/notices';
import { askToBeVerified, jpeg, person, signUp } from './people.ts';
import { expect, test } from './server-fixture.ts';

test('strangers become friends; a plan is requested, paid, met, confirmed, paid out and reviewed (§1-audience)', async ({
  browser,
  tara,
}) => {
  // Each repetition meets other people on the same server.
  const run = Math.random().toString(36).slice(2, 7);
  const ana = await person(browser, tara.url, `Ana ${run}`);
  const ben = await person(browser, tara.url, `Ben ${run}`);
  const boss = await person(browser, tara.url, `Boss ${run}`);
  const caption = `First morning in Moalboal ${run}`;
  const title = `Island hop ${run}`;
  const card = (page: typeof ben.page) => page.getByRole('article').filter({ hasText: title });

  await test.step('1 · all three sign up by mail (§4-sign-up, §8-account-created)', async () => {
    for (const who of [ana, ben, boss]) await signUp(who);
    await tara.admin('grant', boss.email);
  });

  await test.step('2 · Ana posts a photo, Ben likes it (§2-post-form, §7-create-post)', async () => {
    await ana.page.goto('/create-post');
    await ana.page.getByLabel('Add Profile Picture').setInputFiles(await jpeg('sea', 5));
    await ana.page.getByLabel('Caption').fill(caption);
    await ana.page.getByLabel('Add Location').fill('Moalboal, Cebu');
    await ana.page.getByLabel('Add Tags').fill('sea, free dive');
    await ana.page.getByRole('button', { name: 'Create Post' }).click();
    await ana.page.waitForURL((address) => address.pathname === '/');

    await ben.page.goto('/');
    const first = ben.page.getByRole('article').first();
    await expect(first).toContainText(caption);
    await expect(first).toContainText('#freedive');
    await first.getByRole('link', { name: /photo by/i }).click();
    await ben.page.waitForURL(/\/post\//);
    await ben.page.getByRole('button', { name: 'Like, 0 likes' }).click();
    await expect(ben.page.getByRole('button', { name: /like/i }).first()).toContainText('1');
    await ana.page.reload();
    const own = ana.page.getByRole('article').filter({ hasText: caption });
    await expect(own.getByRole('button', { name: /like/i })).toContainText('1');
  });

  await test.step('3 · both are verified by the admin (§1-verification, §2-verify-users, §4-verification, §8-verification-request)', async () => {
    await askToBeVerified(ana, 1);
    await askToBeVerified(ben, 2);
    await boss.page.goto('/verify-users');
    for (const { name } of [ana, ben]) {
      await boss.page
        .getByRole('main')
        .getByRole('link', { name: new RegExp(name) })
        .first()
        .click();
      await boss.page.getByRole('button', { name: 'Accept' }).click();
      await expect(boss.page.getByText(`${name} is verified.`, { exact: true }).first()).toBeVisible();
    }
  });

  await test.step('4 · Ana offers a plan, Ben requests it (§4-create-plan, §8-plan-created, §8-request-sent)', async () => {
    await ana.page.goto('/update-profile');
    await ana.page.getByRole('tab', { name: 'Edit profile info' }).click();
    await ana.page.getByLabel('Phone number').fill('09171234567');
    await ana.page.getByRole('button', { name: /save|update/i }).click();
    await expect(ana.page.getByText(notices.profileUpdated.title, { exact: true }).first()).toBeVisible();

    await ana.page.goto('/');
    await ana.page.getByRole('link', { name: 'Create a plan' }).click();
    await ana.page.getByLabel('Cover photo').setInputFiles(await jpeg('cover', 6));
    await ana.page.getByLabel('Title').fill(title);
    await ana.page.getByLabel('Description').fill('Three islands, one small boat, lunch on the sand.');
    await ana.page.getByLabel('Time').fill('7am-4pm');
    await ana.page.getByLabel('Price in pesos').fill('750');
    await ana.page.getByLabel('Your terms').fill('Meet in a public place. Be on time, be kind.');
    await ana.page.getByLabel('Accept terms and conditions').check();
    await ana.page.getByRole('button', { name: 'Create plan' }).click();
    await expect(ana.page.getByText(notices.planCreated.title, { exact: true }).first()).toBeVisible();

    await ben.page.goto('/all-users');
    await ben.page.getByRole('searchbox').fill(ana.name);
    await ben.page
      .getByRole('main')
      .getByRole('link', { name: new RegExp(ana.name) })
      .first()
      .click();
    await ben.page.getByRole('link', { name: 'View Plans' }).click();
    await ben.page
      .getByRole('link', { name: new RegExp(title) })
      .first()
      .click();
    await ben.page.getByLabel('Accept terms and conditions').check();
    await ben.page.getByRole('button', { name: 'Send Request' }).click();
    await expect(ben.page.getByText(notices.requestSent.title, { exact: true }).first()).toBeVisible();
  });

  await test.step('5 · Ben pays, both see it without a reload', async () => {
    await ana.page.goto('/manage-plans');
    await ana.page.getByRole('tab', { name: /^Friend Request/ }).click();
    await expect(card(ana.page)).toContainText(ben.name);
    await expect(card(ana.page).getByText('paid', { exact: true })).toBeHidden();

    await ben.page.goto('/manage-plans');
    await ben.page.getByRole('tab', { name: /^Your Request/ }).click();
    await card(ben.page).getByRole('link', { name: /^Pay/ }).click();
    await ben.page.getByLabel('Card number').fill('5555444444444457');
    await ben.page.getByLabel('Expiry').fill('12/34');
    await ben.page.getByLabel('CVC').fill('123');
    await ben.page.getByLabel('Name on card').fill('Ben');
    await ben.page.getByRole('button', { name: 'Pay ₱750.00' }).click();
    await expect(ben.page.getByRole('heading', { name: 'Payment successful' })).toBeVisible();
    await ben.page.getByRole('link', { name: 'Return' }).click();
    await expect(card(ben.page).getByText('paid', { exact: true })).toBeVisible();
    await expect(card(ana.page).getByText('paid', { exact: true })).toBeVisible();
  });

  await test.step('6 · Ana accepts, the chat opens, messages are live (§2-receipt-chat)', async () => {
    await card(ana.page).getByRole('button', { name: 'Accept' }).click();
    // Accepted, it leaves Ben's open requests by itself.
    await expect(card(ben.page)).toBeHidden();
    await ben.page.getByRole('tab', { name: /^Pending Friends/ }).click();
    await expect(card(ben.page).getByText('accepted', { exact: true })).toBeVisible();
    await ana.page.getByRole('tab', { name: /^Pending Friends/ }).click();
    await card(ana.page).getByRole('button', { name: 'Open the chat' }).click();
    await ana.page.waitForURL(/conversation-receipt/);
    await card(ben.page).getByRole('link', { name: /chat/i }).click();
    await ben.page.waitForURL(/conversation-receipt/);
    const say = async (page: typeof ben.page, words: string) => {
      await page.getByRole('textbox', { name: 'Message' }).fill(words);
      await page.getByRole('button', { name: 'Send', exact: true }).click();
    };
    await say(ana.page, 'See you at the pier');
    await expect(ben.page.getByText('See you at the pier', { exact: true })).toBeVisible();
    await say(ben.page, 'On my way');
    await expect(ana.page.getByText('On my way', { exact: true })).toBeVisible();
  });

  await test.step('7 · Ben fulfils, the admin confirms, Ana is paid out once (§1-plans, §2-confirm-plans)', async () => {
    await ben.page.getByRole('button', { name: 'Plan is fulfilled' }).click();
    const sure = ben.page.getByRole('alertdialog').or(ben.page.getByRole('dialog'));
    await expect(sure).toContainText('You will not be able to change it after');
    await sure.getByRole('button', { name: 'Plan is fulfilled' }).click();
    await expect(ben.page.getByRole('button', { name: 'Plan is fulfilled' })).toBeHidden();

    await boss.page.goto('/confirm-plans');
    await boss.page
      .getByRole('main')
      .getByRole('link', { name: new RegExp(title) })
      .first()
      .click();
    await boss.page.getByRole('button', { name: 'Confirm', exact: true }).click();
    const dialog = boss.page.getByRole('alertdialog').or(boss.page.getByRole('dialog'));
    await dialog.getByRole('button', { name: 'Confirm', exact: true }).click();
    await expect(boss.page.getByText(notices.planConfirmed.title, { exact: true }).first()).toBeVisible();

    await expect(ana.page.getByText(/paid out/i).first()).toBeVisible();
    await ana.page.goto('/sandbox/');
    await expect(ana.page.getByText(/750\.00/).first()).toBeVisible();
  });

  await test.step('8 · Ben writes a review, it shows on Ana’s profile (§2-write-a-review)', async () => {
    await ben.page.goto('/');
    await ben.page.getByRole('link', { name: 'History' }).click();
    await card(ben.page).getByRole('link', { name: 'Write a review' }).click();
    await ben.page.getByLabel('Caption').fill('A day to remember');
    await ben.page.getByLabel('Location').fill('Mactan');
    await ben.page.getByLabel('Photo').setInputFiles(await jpeg('memory', 7));
    await ben.page.getByRole('radio', { name: '9' }).check({ force: true });
    await ben.page.getByRole('button', { name: /write|send|publish|submit/i }).click();
    await ben.page.waitForURL((address) => !address.pathname.startsWith('/write-a-review'));

    await ana.page.goto('/');
    await ana.page.getByRole('link', { name: ana.name }).first().click();
    await ana.page.waitForURL(/\/profile\//);
    await ana.page.getByText('Reviews', { exact: true }).click();
    await expect(ana.page.getByText('A day to remember')).toBeVisible();
  });
});
