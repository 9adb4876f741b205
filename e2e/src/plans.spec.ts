import {
  createPlan,
  enterPhoneNumber,
  openManager,
  payRequest,
  requestCard,
  requestPlan,
  writeReview,
} from './people.ts';
import { expect, test } from './server-fixture.ts';
import { reachStage } from './steps.ts';

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
