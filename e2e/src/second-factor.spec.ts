import { reports } from '@tara/contract/members/reports';
import { findViolations } from './axe.ts';
import { withDatabase } from './chaos/money-fixture.ts';
import { Authenticator } from './second-factor.ts';
import { test as base, expect } from './server-fixture.ts';
import { type Person, readProfile } from './steps.ts';

const test = base.extend<{
  /** Lets it be so long ago (as Postgres writes it) that the sessions of an admin showed the second factor. */
  ageCode: (admin: Person, interval: string) => Promise<void>;
}>({
  ageCode: async ({ tara }, use) => {
    await use(({ email }, interval) =>
      withDatabase(tara, async (sql) => {
        await sql`update sessions set second_factor_shown_at = now() - ${interval}::interval
          where account_id = (select id from accounts where email = ${email})`;
        await sql`select pg_notify('account_changed', id) from accounts where email = ${email}`;
      }),
    );
  },
});

for (const look of [
  { viewport: { width: 390, height: 844 }, colorScheme: 'light' },
  { viewport: { width: 1280, height: 800 }, colorScheme: 'dark' },
] as const) {
  test(`the first admin page sets up the second factor, and opens then (${look.viewport.width} px)`, async ({
    tara,
    join,
    openNew,
  }) => {
    const boss = await join('Boss');
    await tara.admin('grant', boss.email);
    const page = await openNew(boss, look);
    await page.goto('/reports');
    await expect(page.getByRole('heading', { name: 'Set up your second factor' })).toBeVisible();
    expect(await findViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Start' }).click();
    await expect(page.getByRole('img', { name: 'QR code of the key' })).toBeVisible();
    expect(await findViolations(page)).toEqual([]);
    const key = (await page.getByText(/^([A-Z2-7]{4} ){7}[A-Z2-7]{4}$/).textContent()) ?? '';
    const app = new Authenticator(key.replaceAll(' ', ''));
    await page.getByLabel('Code', { exact: true }).fill('12345');
    await page.getByRole('button', { name: 'Set up' }).click();
    await expect(page.getByText('A code has 6 digits.').first()).toBeVisible();
    await page.getByLabel('Code', { exact: true }).fill(app.wrongCode());
    await page.getByRole('button', { name: 'Set up' }).click();
    await expect(page.getByText(/This code is not right/).first()).toBeVisible();
    await page.getByLabel('Code', { exact: true }).fill(await app.code());
    await page.getByRole('button', { name: 'Set up' }).click();
    await expect(page.getByRole('heading', { name: 'Save your recovery codes' })).toBeVisible();
    expect(await findViolations(page)).toEqual([]);
    await expect(page.getByRole('main').getByRole('listitem')).toHaveCount(10);
    const downloading = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download' }).click();
    expect((await downloading).suggestedFilename()).toBe('tara-recovery-codes.txt');
    await page.getByRole('button', { name: 'I have saved them' }).click();
    await page.waitForURL(/\/reports$/);
    await expect(page.getByRole('heading', { name: 'Reports' })).toBeVisible();
  });
}

test('after 12 hours an admin page asks for a code, and opens where it was wanted', async ({
  admin,
  ageCode,
  openNew,
}) => {
  await ageCode(admin, '13 hours');
  const page = await openNew(admin);
  await page.goto('/money');
  await expect(page.getByRole('heading', { name: 'Enter your code' })).toBeVisible();
  expect(await findViolations(page)).toEqual([]);
  await page.getByLabel('Code', { exact: true }).fill('12345');
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByText(/A code has 6 digits/).first()).toBeVisible();
  await page.getByLabel('Code', { exact: true }).fill((await admin.client.readCode?.()) ?? '');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.waitForURL(/\/money$/);
  await expect(page.getByRole('heading', { name: 'Money', exact: true })).toBeVisible();
});

test('after 15 minutes a decision asks for a code, and goes on with what was typed', async ({
  admin,
  ageCode,
  join,
  openNew,
}) => {
  const [ana, rude] = [await join('Ana'), await join('Rudy')];
  const recordId = (await readProfile(rude)).id;
  await ana.client.call(reports.create, { body: { kind: 'member', recordId, reason: 'spam', detail: '' } });
  const page = await openNew(admin);
  await page.goto('/reports');
  await page
    .getByRole('list', { name: 'Waiting' })
    .getByRole('link', { name: `Profile by ${rude.name}` })
    .click();
  await page.getByLabel('Warning', { exact: true }).fill('Please be kind.');
  await ageCode(admin, '16 minutes');
  await page.getByRole('region', { name: 'Details' }).getByRole('button', { name: 'Warn' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Warn', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Enter your code' });
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByLabel('Warning', { exact: true })).toHaveValue('Please be kind.');
  await page.getByRole('region', { name: 'Details' }).getByRole('button', { name: 'Warn' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Warn', exact: true }).click();
  await expect(dialog).toBeVisible();
  expect(await findViolations(page)).toEqual([]);
  await dialog.getByLabel('Code').fill((await admin.client.readCode?.()) ?? '');
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByText('The report is decided.').first()).toBeVisible();
});
