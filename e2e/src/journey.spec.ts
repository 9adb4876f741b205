import {
  acceptVerification,
  askToBeVerified,
  confirmFulfilled,
  createPlan,
  createPost,
  enterPhoneNumber,
  fulfil,
  likePost,
  openManager,
  payRequest,
  requestCard,
  requestPlan,
  setUpSecondFactor,
  signUp,
  writeMessage,
  writeReview,
} from './people.ts';
import { expect, test } from './server-fixture.ts';
import { newPerson } from './steps.ts';

test('strangers become friends; a plan is requested, paid, met, confirmed, paid out and reviewed (§1-audience)', async ({
  open,
  tara,
}) => {
  // Each repetition meets other people on the same server.
  const run = Math.random().toString(36).slice(2, 7);
  const [ana, ben, boss] = [
    newPerson(tara, `Ana ${run}`),
    newPerson(tara, `Ben ${run}`),
    newPerson(tara, `Boss ${run}`),
  ];
  const [anasPage, bensPage, bossPage] = [await open(null), await open(null), await open(null)];
  const caption = `First morning in Moalboal ${run}`;
  const title = `Island hop ${run}`;

  await test.step('1 · all three sign up by mail (§8-account-created)', async () => {
    await signUp(anasPage, ana);
    await signUp(bensPage, ben);
    await signUp(bossPage, boss);
    await tara.admin('grant', boss.email);
    await setUpSecondFactor(bossPage);
  });

  await test.step('2 · Ana posts a photo, Ben likes it (§7-create-post)', async () => {
    await createPost(anasPage, caption);
    await likePost(bensPage, caption);
    await anasPage.reload();
    const own = anasPage.getByRole('article').filter({ hasText: caption });
    await expect(own.getByRole('button', { name: 'Like, 1 like' })).toBeVisible();
  });

  await test.step('3 · both are verified by the admin (§1-verification, §8-verification-request)', async () => {
    await askToBeVerified(anasPage, 1);
    await askToBeVerified(bensPage, 2);
    for (const { name } of [ana, ben]) await acceptVerification(bossPage, name);
  });

  await test.step('4 · Ana offers a plan, Ben requests it (§8-plan-created, §8-request-sent)', async () => {
    await enterPhoneNumber(anasPage);
    await createPlan(anasPage, title);
    await requestPlan(bensPage, ana.name, title);
  });

  await test.step('5 · Ben pays through the payment link, both see it without a reload (§1-plans-request)', async () => {
    await openManager(anasPage, /^Friend Request/);
    await expect(requestCard(anasPage, title)).toContainText(ben.name);
    await expect(requestCard(anasPage, title).getByText('paid', { exact: true })).toBeHidden();
    await payRequest(bensPage, title);
    await expect(requestCard(anasPage, title).getByText('paid', { exact: true })).toBeVisible();
  });

  await test.step('6 · Ana accepts, the chat of the plan opens, messages are live (§1-plans-chat)', async () => {
    await requestCard(anasPage, title).getByRole('button', { name: 'Accept' }).click();
    // Accepted, it leaves Ben's open requests by itself.
    await expect(requestCard(bensPage, title)).toBeHidden();
    await bensPage.getByRole('tab', { name: /^Pending Friends/ }).click();
    await expect(requestCard(bensPage, title).getByText('all set', { exact: true })).toBeVisible();
    await anasPage.getByRole('tab', { name: /^Pending Friends/ }).click();
    await requestCard(anasPage, title).getByRole('button', { name: 'Open the chat' }).click();
    await anasPage.waitForURL(/conversation-receipt/);
    await requestCard(bensPage, title).getByRole('link', { name: /chat/i }).click();
    await bensPage.waitForURL(/conversation-receipt/);
    await writeMessage(anasPage, 'See you at the pier');
    await expect(bensPage.getByText('See you at the pier', { exact: true })).toBeVisible();
    await writeMessage(bensPage, 'On my way');
    await expect(anasPage.getByText('On my way', { exact: true })).toBeVisible();
  });

  await test.step('7 · Ben fulfils, the admin confirms, Ana is paid out once (§1-plans)', async () => {
    await fulfil(bensPage);
    await confirmFulfilled(bossPage, title);
    await expect(anasPage.getByText(/paid out/i).first()).toBeVisible();
    await anasPage.goto('/sandbox/');
    await expect(anasPage.getByText(/750\.00/).first()).toBeVisible();
  });

  await test.step('8 · Ben writes a starred review, it shows on Ana’s profile (§1-reviews)', async () => {
    await writeReview(bensPage, title, 'A day to remember');
    await anasPage.goto('/');
    await anasPage.getByRole('link', { name: ana.name }).first().click();
    await anasPage.waitForURL(/\/profile\//);
    await anasPage.getByText('Reviews', { exact: true }).click();
    await expect(anasPage.getByText('A day to remember')).toBeVisible();
  });
});
