import { acceptVerification, askToBeVerified } from './people.ts';
import { expect, test } from './server-fixture.ts';
import { readProfile } from './steps.ts';

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
