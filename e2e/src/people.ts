import { type Browser, expect, type Page } from '@playwright/test';
import { photo } from './photos.ts';

/** Steps of people in the browser; elements are found by role or label. */

export const password = 'kape at pandesal 7';

export interface Member {
  page: Page;
  name: string;
  email: string;
}

/** A file for a file chooser: a JPEG drawn from a seed. */
export const jpeg = async (name: string, seed: number) => ({
  name: `${name}.jpg`,
  mimeType: 'image/jpeg',
  buffer: await photo(seed),
});

/** A person with a separate browser context. */
export async function person(browser: Browser, url: string, name: string): Promise<Member> {
  const context = await browser.newContext({ baseURL: url, viewport: { width: 1280, height: 800 } });
  return {
    page: await context.newPage(),
    name,
    email: `${name.replace(/ /g, '.').toLowerCase()}@journey.test`,
  };
}

/** §2 /sign-up, the mail, its link, and being in. */
export async function signUp({ page, name, email }: Member): Promise<void> {
  await page.goto('/sign-up');
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByLabel('Username').fill(name.slice(0, 15));
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Submit' }).click();
  await expect(
    page.getByText('check your email to confirm your account', { exact: true }).first(),
  ).toBeVisible();
  const mail = page.getByRole('link', { name: /confirm/i });
  await expect(async () => {
    await page.goto(`/mailbox/?to=${encodeURIComponent(email)}`);
    await expect(mail.first()).toBeVisible({ timeout: 1_000 });
  }).toPass({ timeout: 20_000 });
  await mail.first().click();
  await page
    .getByRole('link', { name: /\/confirming\?/ })
    .first()
    .click();
  await page.waitForURL((address) => address.pathname === '/');
  await expect(page.getByRole('link', { name: name }).first()).toBeVisible();
}

/** The whole About form, sent by the page's session. */
async function updateAbout({ page }: Member, fields: Record<string, string>): Promise<void> {
  const empty = { bio: '', gender: '', lookingFor: '', hobby: '', workingAs: '', education: '' };
  const data = { ...empty, birthDate: '', phoneNumber: '', ...fields };
  const reply = await page.request.post('/api/profile/updateAbout', { data });
  expect(reply.status(), await reply.text()).toBe(200);
}

/** §2 /verifying-identity with three real pictures; an admin accepts nobody without a birth date. */
export async function askToBeVerified(member: Member, seed: number): Promise<void> {
  const { page, name } = member;
  await updateAbout(member, { birthDate: '1995-06-15' });
  await page.goto('/verifying-identity');
  for (const [index, label] of ['Front of your ID', 'Back of your ID', 'Photo of yourself'].entries()) {
    await page.getByLabel(label).setInputFiles(await jpeg(`${name}-${index}`, seed * 10 + index));
  }
  await page.getByLabel('Address').fill('12 Mabini Street, Cebu City');
  await page.getByLabel('I accept the terms and conditions').check();
  await page.getByRole('button', { name: /send/i }).click();
  await expect(page.getByText('Your request has been sent.', { exact: true }).first()).toBeVisible();
}
