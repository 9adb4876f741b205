import type { Page } from '@playwright/test';
import { reports } from '@tara/contract/members/reports';
import { findViolations } from './axe.ts';
import { withDatabase } from './chaos/money-fixture.ts';
import { test as base, expect } from './server-fixture.ts';
import { createPost, type Person, password, reachStage, readProfile, sendMessage } from './steps.ts';

const test = base.extend<{
  /** Reports a member or a post through the API, and opens the report as the admin. */
  openReport: (reporter: Person, kind: 'member' | 'post', recordId: string, who: Person) => Promise<Page>;
}>({
  openReport: async ({ open, admin }, use) => {
    await use(async (reporter, kind, recordId, { name }) => {
      const detail = `About ${name}`;
      await reporter.client.call(reports.create, { body: { kind, recordId, reason: 'spam', detail } });
      const page = await open(admin);
      await page.goto('/reports');
      const label = kind === 'member' ? 'Profile' : 'Post';
      await page
        .getByRole('list', { name: 'Waiting' })
        .getByRole('link', { name: `${label} by ${name}` })
        .click();
      await expect(page.getByText(detail)).toBeVisible();
      return page;
    });
  },
});

async function decide(page: Page, decision: string): Promise<void> {
  await page.getByRole('region', { name: 'Details' }).getByRole('button', { name: decision }).click();
  await page.getByRole('dialog').getByRole('button', { name: decision, exact: true }).click();
  await expect(page.getByText('The report is decided.').first()).toBeVisible();
}

test('a warned member sees the warning until they have read it', async ({ join, open, openReport }) => {
  const [ana, rude] = [await join('Ana'), await join('Rudy')];
  const page = await openReport(ana, 'member', (await readProfile(rude)).id, rude);
  await page.getByLabel('Warning', { exact: true }).fill('Please do not ask for money first.');
  await decide(page, 'Warn');

  const rudesPage = await open(rude);
  await rudesPage.goto('/');
  const warning = rudesPage.getByRole('alert').filter({ hasText: 'A warning by an admin of Tara' });
  await expect(warning).toContainText('Please do not ask for money first.');
  expect(await findViolations(rudesPage)).toEqual([]);
  await warning.getByRole('button', { name: 'I have read it' }).click();
  await expect(warning).toHaveCount(0);
  await rudesPage.reload();
  await expect(rudesPage.getByRole('textbox', { name: 'Quick post' })).toBeVisible();
  await expect(warning).toHaveCount(0);
});

test('a banned member is signed out and cannot sign in again', async ({ join, open, openReport }) => {
  const [ana, rude] = [await join('Ana'), await join('Rudy')];
  const rudesPage = await open(rude);
  await rudesPage.goto('/');
  await expect(rudesPage.getByRole('textbox', { name: 'Quick post' })).toBeVisible();
  const page = await openReport(ana, 'member', (await readProfile(rude)).id, rude);
  await decide(page, 'Ban');

  await rudesPage.goto('/');
  await rudesPage.waitForURL('**/sign-in**');
  await rudesPage.getByLabel('Email').fill(rude.email);
  await rudesPage.getByLabel('Password', { exact: true }).fill(password);
  await rudesPage.getByRole('main').getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(rudesPage.getByText(/^This account is closed/).first()).toBeVisible();
  await expect(rudesPage).toHaveURL(/sign-in/);
});

test('a removed post is removed for everybody', async ({ join, open, openReport }) => {
  const [ana, rude] = [await join('Ana'), await join('Rudy')];
  const id = await createPost(rude, `Send me money ${rude.name}`);
  const page = await openReport(ana, 'post', id, rude);
  await decide(page, 'Remove the record');

  for (const person of [ana, rude]) {
    const reader = await open(person);
    await reader.goto(`/post/${id}`);
    await expect(reader.getByText('There is no such post.').first()).toBeVisible();
  }
});

test('a muted member’s posts are hidden only from the member who muted them, until that ends', async ({
  join,
  open,
}) => {
  const [ana, ben] = [await join('Ana'), await join('Ben')];
  await createPost(ben, `Rain on the bay ${ben.name}`);
  const [page, bensPage] = [await open(ana), await open(ben)];
  const bensPost = (reader: Page) => reader.getByRole('article', { name: `Post by ${ben.name}` });

  await page.goto('/');
  await bensPost(page)
    .getByRole('button', { name: `More about ${ben.name}` })
    .click();
  await page.getByRole('menuitem', { name: 'Mute' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Mute', exact: true }).click();
  await expect(bensPost(page)).toHaveCount(0);
  await bensPage.goto('/');
  await expect(bensPost(bensPage)).toBeVisible();

  await page.goto(`/profile/${(await readProfile(ben)).id}`);
  await expect(page.getByText(`You muted ${ben.name}`)).toBeVisible();
  await page.getByRole('main').getByRole('button', { name: 'Unmute' }).click();
  await expect(page.getByText(`You muted ${ben.name}`)).toHaveCount(0);
  await page.goto('/');
  await expect(bensPost(page)).toBeVisible();
});

test('a reported message of a plan chat is shown among the others, by a press that is written down', async ({
  tara,
  joinVerified,
  admin,
  open,
}) => {
  const [rude, ana] = [await joinVerified('Rudy'), await joinVerified('Ana')];
  const { chatId } = await reachStage({ creator: rude, client: ana, admin }, 'chatting', 'Night market');
  await sendMessage(ana, chatId, 'Where do we meet?');
  const { id: recordId } = await sendMessage(rude, chatId, 'Send the money to my own number first.');
  const report = { kind: 'message', recordId, chatId, reason: 'money', detail: '' } as const;
  await ana.client.call(reports.create, { body: report });
  const { items } = await admin.client.call(reports.open, { query: {} });
  const id = items.find((item) => item.recordId === recordId)?.id ?? '';
  const looks = () =>
    withDatabase(tara, async (sql) => {
      const rows =
        await sql`select from audit_log where action = 'report.chat' and subject = ${`report:${id}`}`;
      return rows.length;
    });

  const page = await open(admin, { viewport: { width: 390, height: 844 } });
  await page.goto(`/reports?open=${id}`);
  const chat = page.getByRole('region', { name: 'The plan chat' });
  await expect(chat.getByRole('button', { name: 'Open the plan chat' })).toBeVisible();
  expect(await looks()).toBe(0);
  await chat.getByRole('button', { name: 'Open the plan chat' }).click();
  await expect(chat.getByText('Where do we meet?')).toBeVisible();
  const reported = chat.getByRole('listitem').filter({ hasText: 'This message was reported.' });
  await expect(reported).toContainText('Send the money to my own number first.');
  expect(await looks()).toBe(1);
  expect(await findViolations(page)).toEqual([]);
});
