import { plans } from '@tara/contract/plans/plans';
import { waitUntilDrawn } from './axe.ts';
import {
  createPlan,
  enterPhoneNumber,
  jpeg,
  openManager,
  payRequest,
  requestCard,
  requestPlan,
  writeReview,
} from './people.ts';
import { expect, test } from './server-fixture.ts';
import { createPlan as createPlanByCall, reachStage } from './steps.ts';

test('a creator offers a plan, and a client finds and requests it', async ({ joinVerified, open }) => {
  const [ana, ben] = [await joinVerified('Ana'), await joinVerified('Ben')];
  const [anasPage, bensPage] = [await open(ana), await open(ben)];
  await enterPhoneNumber(anasPage);
  await createPlan(anasPage, 'Island hop');
  await requestPlan(bensPage, ana.name, 'Island hop');
  await openManager(anasPage, /^Friend Request/);
  await expect(requestCard(anasPage, 'Island hop')).toContainText(ben.name);
});

test('the creator sees a payment without a reload, and the client the acceptance', async ({
  joinVerified,
  admin,
  open,
}) => {
  const [creator, client] = [await joinVerified('Ana'), await joinVerified('Ben')];
  await reachStage({ creator, client, admin }, 'requested', 'Island hop');
  const [anasPage, bensPage] = [await open(creator), await open(client)];
  await openManager(anasPage, /^Friend Request/);
  await expect(requestCard(anasPage, 'Island hop')).toBeVisible();
  await expect(requestCard(anasPage, 'Island hop').getByText('paid', { exact: true })).toBeHidden();
  await payRequest(bensPage, 'Island hop');
  await expect(requestCard(anasPage, 'Island hop').getByText('paid', { exact: true })).toBeVisible();
  await requestCard(anasPage, 'Island hop').getByRole('button', { name: 'Accept' }).click();
  await expect(requestCard(bensPage, 'Island hop')).toBeHidden();
});

test('a confirmed request is reviewed from the history', async ({ joinVerified, admin, open }) => {
  const [creator, client] = [await joinVerified('Ana'), await joinVerified('Ben')];
  await reachStage({ creator, client, admin }, 'confirmed', 'Island hop');
  const page = await open(client);
  await writeReview(page, 'Island hop', 'A day to remember');
  await page.goto('/all-users');
  await page.getByRole('searchbox').fill(creator.name);
  await page
    .getByRole('main')
    .getByRole('link', { name: new RegExp(creator.name) })
    .first()
    .click();
  await page.getByText('Reviews', { exact: true }).click();
  await expect(page.getByText('A day to remember')).toBeVisible();
});

test('a creator edits a plan, closes it, and opens it again', async ({ joinVerified, open }) => {
  const [ana, ben] = [await joinVerified('Ana'), await joinVerified('Ben')];
  const planId = await createPlanByCall(ana, 'Island hop');
  const page = await open(ana);
  await page.goto(`/profile/plan-details/${planId}`);
  await page.getByRole('link', { name: 'Edit plan' }).click();
  await page.getByLabel('Add photos').setInputFiles([await jpeg('sand', 8), await jpeg('lunch', 9)]);
  await page.getByRole('button', { name: 'Make it the cover: photo 3' }).click();
  await page.getByLabel('Title').fill('Island day');
  await page.getByLabel('Place').fill('Mactan, Cebu');
  await page.getByLabel('Duration').selectOption({ label: '10 h' });
  await page.getByLabel('Price in pesos').fill('₱1,250.50');
  await expect(page.getByText('Friends pay ₱1,250.50.')).toBeVisible();
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByRole('heading', { name: 'Island day' })).toBeVisible();
  for (const fact of ['Mactan, Cebu', '10 h', '₱1,250.50']) {
    await expect(page.getByText(fact, { exact: true }).first()).toBeVisible();
  }
  await expect(page.getByRole('button', { name: /^Open photo/ })).toHaveCount(2);

  const bensPage = await open(ben);
  await bensPage.goto(`/profile/plan-details/${planId}`);
  await expect(bensPage.getByRole('button', { name: 'Choose a day' })).toBeVisible();
  await page.getByRole('button', { name: 'Close plan' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Close plan' }).click();
  await expect(page.getByText('Your plan is closed')).toBeVisible();
  const { items } = await ben.client.call(plans.search, { query: { search: 'island day' } });
  expect(items.map(({ id }) => id)).not.toContain(planId);
  await bensPage.reload();
  await expect(bensPage.getByText('it is closed')).toBeVisible();
  await expect(bensPage.getByRole('button', { name: 'Choose a day' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Open again' }).click();
  await expect(page.getByText('Your plan is closed')).toBeHidden();
  await bensPage.reload();
  await expect(bensPage.getByRole('button', { name: 'Choose a day' })).toBeVisible();
});

test('the price and the button stay in sight of a long plan, and the end is not covered', async ({
  joinVerified,
  open,
}) => {
  const [ana, ben] = [await joinVerified('Ana'), await joinVerified('Ben')];
  const planId = await createPlanByCall(ana, 'Island hop');
  const page = await open(ben, { viewport: { width: 390, height: 844 } });
  await page.goto(`/profile/plan-details/${planId}`);
  const button = page.getByRole('button', { name: 'Choose a day' });
  await expect(button).toBeInViewport();
  await waitUntilDrawn(page);
  const terms = page.getByText('Terms for every plan');
  await terms.scrollIntoViewIfNeeded();
  await page.mouse.wheel(0, 5000);
  const bar = page.getByRole('region', { name: 'Your request' });
  await expect
    .poll(async () => {
      const [end, start] = [await terms.boundingBox(), await bar.boundingBox()];
      return (end?.y ?? 0) + (end?.height ?? 0) <= (start?.y ?? 0);
    })
    .toBe(true);
  await expect(button).toBeInViewport();
});
