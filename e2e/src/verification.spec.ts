import { countActions } from './actions.ts';
import { findViolations } from './axe.ts';
import {
  acceptVerification,
  askToBeVerified,
  chooseBirthDate,
  confirmationLink,
  confirmationMail,
  fillVerification,
  jpeg,
  openMailbox,
  signUp,
} from './people.ts';
import { expect, test, uniqueName } from './server-fixture.ts';
import { createPlan, newPerson, password, readProfile } from './steps.ts';

const phone = { viewport: { width: 390, height: 844 } };

test('somebody sends pictures of their papers, and the admin accepts them', async ({ admin, join, open }) => {
  const ana = await join('Ana');
  await askToBeVerified(await open(ana), 1);
  await acceptVerification(await open(admin), ana.name);
  expect((await readProfile(ana)).verified).toBe(true);
});

test('a member whose request is declined reads why beside the form for a new one', async ({
  admin,
  join,
  open,
}) => {
  const ben = await join('Ben');
  const page = await open(ben);
  await askToBeVerified(page, 2);
  const office = await open(admin);
  await office.setViewportSize({ width: 390, height: 844 });
  await office.goto('/verify-users');
  const line = office.getByRole('main').getByRole('link', { name: new RegExp(ben.name) });
  await line.first().click();
  await office.getByRole('button', { name: 'Decline' }).click();
  const dialog = office.getByRole('dialog', { name: `Decline ${ben.name}?` });
  await dialog.getByLabel('Reason').selectOption('A picture cannot be read');
  await dialog.getByLabel('What should be sent instead?').fill('The back, without the flash.');
  // A decline that fails on a phone: what was written stays, and is not covered by what is said of it.
  await office.route('**/api/verification/decline', (route) => route.abort());
  await dialog.getByRole('button', { name: 'Decline' }).click();
  const toast = office.getByRole('region', { name: /^Notification/ }).getByRole('listitem');
  await expect(toast).toBeVisible();
  const written = dialog.getByLabel('What should be sent instead?');
  await expect(written).toHaveValue('The back, without the flash.');
  const boxes = await Promise.all([toast, written].map((element) => element.boundingBox()));
  expect((boxes[0]?.y ?? 0) + (boxes[0]?.height ?? 0)).toBeLessThanOrEqual(boxes[1]?.y ?? 0);
  await office.unroute('**/api/verification/decline');
  await dialog.getByRole('button', { name: 'Decline' }).click();
  await expect(office.getByText(`The request of ${ben.name} was declined.`).first()).toBeVisible();
  await page.goto('/verifying-identity');
  const why = page.getByRole('heading', { name: 'Your last request was declined' }).locator('..');
  await expect(why).toContainText('The back, without the flash.');
  await expect(page.getByRole('button', { name: 'Send request' })).toBeVisible();
});

test('from the sign-up to the sent verification are at most 18 actions', async ({ tara, open }) => {
  const { name, email } = newPerson(tara, uniqueName('Ana'));
  const page = await open(null, phone);
  const { act, expectAtMost } = countActions();
  const write = (label: string, text: string) =>
    act(label, () => page.getByLabel(label, { exact: true }).fill(text));
  const tick = (label: string) => act(label, () => page.getByLabel(label).check());
  await page.goto('/sign-up');
  await write('Name', name);
  await write('Username', name.slice(0, 15));
  await write('Email', email);
  await write('Password', password);
  await tick('I am 18 or older');
  await tick('I agree to the terms and the privacy policy');
  await act('Submit', () => page.getByRole('button', { name: 'Submit' }).click());
  await page.waitForURL(/confirming/);
  await openMailbox(page, email);
  await act('the mail', () => confirmationMail(page).click());
  await act('its link', () => confirmationLink(page).click());
  await page.waitForURL(/welcome/);
  expect(await findViolations(page)).toEqual([]);
  await act('3 Look around', () => page.getByRole('link', { name: '3 Look around' }).click());
  await expect(page.getByText(/^Only verified people request plans/)).toBeVisible();
  expect(await findViolations(page)).toEqual([]);
  await act('Get verified', () => page.getByRole('main').getByRole('link', { name: 'Get verified' }).click());
  await page.waitForURL(/verifying-identity/);
  // One field, with its dialog.
  await act('Birth date', () => chooseBirthDate(page));
  for (const label of ['Front of your ID', 'Back of your ID', 'Photo of yourself'])
    await act(label, async () => page.getByLabel(label).setInputFiles(await jpeg(label, label.length)));
  await write('Address', '12 Mabini Street, Cebu City');
  await tick('I accept the terms and conditions');
  await act('Send request', () => page.getByRole('button', { name: 'Send request' }).click());
  await expect(page.getByText('Your request has been sent.', { exact: true }).first()).toBeVisible();
  expectAtMost(18);
});

test('the first steps are saved one by one, and Home goes on with what was skipped', async ({
  tara,
  open,
}) => {
  const ana = newPerson(tara, uniqueName('Ana'));
  const page = await open(null);
  await signUp(page, ana);
  await page.goto('/welcome');
  await page.getByLabel('A photo of you').setInputFiles(await jpeg('me', 3));
  await page.getByRole('button', { name: 'Use picture' }).click();
  await page.getByRole('button', { name: 'Save and go on' }).click();
  await page.getByLabel('City').fill('Cebu City');
  await page.getByLabel('Hobbies').fill('Diving, Coffee');
  await page.getByRole('button', { name: 'Save and go on' }).click();
  await expect(page.getByRole('heading', { name: 'Look around' })).toBeVisible();
  await page.goBack();
  await expect(page.getByLabel('City')).toHaveValue('Cebu City');
  await page.goBack();
  await expect(page.getByText('This is how people see you now.')).toBeVisible();
  await page.goto('/');
  await expect(page.getByRole('heading', { name: 'Your first steps' })).toContainText('2 of 3 done');
});

test('a request that was filled in before the verification is there after it, in another tab', async ({
  admin,
  join,
  joinVerified,
  open,
  openNew,
}) => {
  const creator = await joinVerified('Ana');
  const ben = await join('Ben');
  const planId = await createPlan(creator, 'Island hopping');
  const address = `/profile/plan-details/${planId}`;
  const page = await openNew(ben, phone);
  await page.goto(address);
  await page.getByRole('button', { name: 'Choose a day' }).click();
  await page.getByRole('dialog').getByRole('radio').nth(1).check();
  await page.getByRole('dialog').getByLabel('Place').fill('Luneta Park');
  expect(await findViolations(page)).toEqual([]);
  await page.getByRole('dialog').getByRole('link', { name: 'Get verified to book' }).click();
  await page.waitForURL(/verifying-identity/);
  await fillVerification(page, 3);
  await page.waitForURL(new RegExp(address));
  await expect(page.getByText('What you chose for this plan is kept on this device.')).toBeVisible();
  await acceptVerification(await open(admin), ben.name);
  const other = await page.context().newPage();
  await page.close();
  await other.goto(address);
  await other.getByRole('button', { name: 'Choose a day' }).click();
  const dialog = other.getByRole('dialog');
  await expect(dialog.getByLabel('Place')).toHaveValue('Luneta Park');
  await expect(dialog.getByRole('radio').nth(1)).toBeChecked();
  await dialog.getByLabel('Accept terms and conditions').check();
  await dialog.getByRole('button', { name: 'Send Request' }).click();
  await expect(other.getByText('Request sent!', { exact: true }).first()).toBeVisible();
});
