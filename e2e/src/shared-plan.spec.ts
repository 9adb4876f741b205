import { findViolations } from './axe.ts';
import { expect, test } from './server-fixture.ts';
import { reachStage } from './steps.ts';

test('a shared plan is seen by everybody who has the link, until it is revoked', async ({
  joinVerified,
  admin,
  open,
}) => {
  const [creator, client] = [await joinVerified('Rica Ramos'), await joinVerified('Sol Santos')];
  await reachStage({ creator, client, admin }, 'accepted', 'Sunset walk');
  const page = await open(client, { viewport: { width: 390, height: 844 } });
  await page.goto('/manage-plans');
  const card = page.getByRole('article', { name: /^Sunset walk/ });
  await card.getByRole('button', { name: 'Share my plan' }).click();
  const dialog = page.getByRole('dialog', { name: 'Share my plan' });
  await expect(dialog).toContainText(creator.name);
  await dialog.getByRole('button', { name: 'Make the link' }).click();
  const link = dialog.getByLabel('Your link, shown only now');
  await expect(link).toHaveValue(/\/shared-plan\?token=[\w-]{43}$/);
  expect(await findViolations(page)).toEqual([]);
  const url = await link.inputValue();

  // Somebody without an account.
  const friend = await open(null, { viewport: { width: 390, height: 844 } });
  const response = await friend.goto(url);
  expect(response?.headers()).toMatchObject({
    'x-robots-tag': 'noindex, nofollow',
    'referrer-policy': 'no-referrer',
  });
  await expect(friend.getByRole('heading', { name: `${client.name} shares a plan with you` })).toBeVisible();
  await expect(friend.getByRole('heading', { name: 'Sunset walk' })).toBeVisible();
  await expect(friend.getByText(creator.name).first()).toBeVisible();
  expect(await findViolations(friend)).toEqual([]);

  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await card.getByRole('button', { name: 'Share my plan' }).click();
  await expect(dialog).toContainText('Your plan is shared until');
  await expect(dialog.getByLabel('Your link, shown only now')).toBeHidden();
  await dialog.getByRole('button', { name: 'Stop sharing' }).click();
  await expect(page.getByText('Your plan is no longer shared.').first()).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Make the link' })).toBeVisible();

  await friend.reload();
  await expect(friend.getByText('This link has ended').first()).toBeVisible();
  await expect(friend.getByText('Sunset walk')).toBeHidden();
});
