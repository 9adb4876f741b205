import type { Page } from '@playwright/test';
import { reports } from '@tara/contract/members/reports';
import { reviews } from '@tara/contract/plans/reviews';
import { findViolations } from './axe.ts';
import { expect, test } from './server-fixture.ts';
import { createPost, createReview, type Person, reachStage, readProfile } from './steps.ts';

/** Chooses an action of the '…' menu of what a member made, and answers the question it asks. */
async function choose(page: Page, { name }: Person, action: string): Promise<void> {
  await page
    .getByRole('main')
    .getByRole('button', { name: `More about ${name}` })
    .first()
    .click();
  await page.getByRole('menuitem', { name: action }).click();
}

const sayYes = (page: Page, label: string) =>
  page.getByRole('dialog').getByRole('button', { name: label, exact: true }).click();

test('a member blocks another at a post: both vanish for each other until the block ends', async ({
  join,
  open,
}) => {
  const [ana, ben] = [await join('Ana'), await join('Ben')];
  await createPost(ana, `Kites at dusk ${ana.name}`);
  await createPost(ben, `Rain on the bay ${ben.name}`);
  const [page, bensPage] = [await open(ana), await open(ben)];
  const benProfile = `/profile/${(await readProfile(ben)).id}`;
  const anaProfile = `/profile/${(await readProfile(ana)).id}`;
  const feed = (reader: Page, writer: Person) =>
    reader.getByRole('article', { name: `Post by ${writer.name}` });

  await page.goto('/');
  await expect(feed(page, ben)).toBeVisible();
  const post = feed(page, ben);
  await post.getByRole('button', { name: `More about ${ben.name}` }).click();
  await page.getByRole('menuitem', { name: 'Block' }).click();
  await sayYes(page, 'Block');
  await expect(page.getByText(`You blocked ${ben.name}.`).first()).toBeVisible();
  await expect(feed(page, ana)).toBeVisible();
  await expect(feed(page, ben)).toHaveCount(0);

  await bensPage.goto('/');
  await expect(feed(bensPage, ben)).toBeVisible();
  await expect(feed(bensPage, ana)).toHaveCount(0);
  await page.goto(benProfile);
  await expect(page.getByText('There is no such member.').first()).toBeVisible();
  await bensPage.goto(anaProfile);
  await expect(bensPage.getByText('There is no such member.').first()).toBeVisible();

  await page.goto('/settings/blocked');
  const unblock = page.getByRole('button', { name: `Unblock ${ben.name}` });
  await expect(unblock).toBeVisible();
  expect(await findViolations(page)).toEqual([]);
  await unblock.click();
  await sayYes(page, 'Unblock');
  await expect(page.getByText(`You unblocked ${ben.name}.`).first()).toBeVisible();
  await page.goto('/');
  await expect(feed(page, ben)).toBeVisible();
  await bensPage.goto(anaProfile);
  await expect(bensPage.getByRole('heading', { name: ana.name }).first()).toBeVisible();
});

test('an admin suspends the writer of a reported comment, who then reads and does not write', async ({
  joinVerified,
  join,
  admin,
  open,
}) => {
  const [creator, client, rude] = [await joinVerified('Ana'), await joinVerified('Ben'), await join('Rudy')];
  const { requestId } = await reachStage({ creator, client, admin }, 'confirmed');
  const reviewId = await createReview(client, requestId);
  const body = `Send me money first ${rude.name}`;
  await rude.client.call(reviews.createComment, { body: { reviewId, body, clientKey: `key-${reviewId}` } });

  const page = await open(client);
  await test.step('the comment is reported', async () => {
    await page.goto(`/review-details/${reviewId}`);
    await choose(page, rude, 'Report');
    const dialog = page.getByRole('dialog');
    await expect(dialog.getByRole('heading', { name: `Report the comment by ${rude.name}` })).toBeVisible();
    await dialog.getByRole('button', { name: 'Send report' }).click();
    await expect(dialog.getByText('Please choose a reason.')).toBeVisible();
    expect(await findViolations(page)).toEqual([]);
    await dialog.getByLabel('Reason').selectOption({ label: 'Asks for money outside Tara' });
    await dialog.getByLabel('What happened?').fill('Before we even met.');
    await dialog.getByRole('button', { name: 'Send report' }).click();
    await expect(page.getByText('Your report was sent.', { exact: true }).first()).toBeVisible();
  });

  await test.step('the admin reads it and suspends the member', async () => {
    const adminsPage = await open(admin);
    await adminsPage.goto('/reports');
    await adminsPage
      .getByRole('list', { name: 'Waiting' })
      .getByRole('link', { name: `Comment by ${rude.name}` })
      .click();
    const details = adminsPage.getByRole('region', { name: 'Details' });
    await expect(details.getByText(body, { exact: true })).toBeVisible();
    await expect(details.getByText('Before we even met.')).toBeVisible();
    expect(await findViolations(adminsPage)).toEqual([]);
    await details.getByLabel('Days of a suspension').fill('3');
    await details.getByRole('button', { name: 'Suspend' }).click();
    await expect(adminsPage.getByRole('dialog')).toContainText('can read but not write for 3 days');
    await sayYes(adminsPage, 'Suspend');
    await expect(adminsPage.getByText('The report is decided.').first()).toBeVisible();
    const { items } = await admin.client.call(reports.open, { query: {} });
    expect(items.filter(({ member }) => member?.name === rude.name)).toEqual([]);
  });

  await test.step('the member reads, and is refused when writing', async () => {
    const rudesPage = await open(rude);
    await rudesPage.goto(`/review-details/${reviewId}`);
    await expect(rudesPage.getByText(/^Your account is suspended until/)).toBeVisible();
    await expect(rudesPage.getByText('A day to remember').first()).toBeVisible();
    await rudesPage.goto('/');
    await rudesPage.getByRole('textbox', { name: 'Quick post' }).fill('Still here');
    await rudesPage
      .getByRole('region', { name: 'Quick post' })
      .getByRole('button', { name: 'Post', exact: true })
      .click();
    await expect(
      rudesPage.getByText('Your account is suspended', { exact: true }).locator('visible=true').first(),
    ).toBeVisible();
    await expect(rudesPage.getByRole('article', { name: `Post by ${rude.name}` })).toHaveCount(0);
  });
});

test('a comment on a review appears for another reader without a reload', async ({
  joinVerified,
  admin,
  open,
}) => {
  const [creator, client] = [await joinVerified('Ana'), await joinVerified('Ben')];
  const { requestId } = await reachStage({ creator, client, admin }, 'confirmed');
  const path = `/review-details/${await createReview(client, requestId)}`;
  const [page, bensPage] = [await open(creator), await open(client)];
  await page.goto(path);
  await bensPage.goto(path);
  await expect(bensPage.getByText('No comments yet')).toBeVisible();
  await page.getByRole('textbox', { name: 'Comment' }).fill('It was a pleasure');
  await page.getByRole('form', { name: 'Write a comment' }).getByRole('button', { name: 'Send' }).click();
  const arrived = bensPage.getByRole('listitem', { name: `Comment by ${creator.name}` });
  await expect(arrived).toContainText('It was a pleasure');
  await expect(bensPage.getByRole('heading', { name: /^Comments/ })).toContainText('1');
});
