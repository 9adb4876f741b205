import { eachAboutText, profiles } from '@tara/contract/members/profiles';
import { findViolations } from './axe.ts';
import { expect, test } from './server-fixture.ts';
import { createPlan, createPost, readProfile } from './steps.ts';

const looks = [
  ['a phone', { width: 390, height: 844 }],
  ['a wide screen', { width: 1280, height: 800 }],
] as const;

for (const [name, viewport] of looks)
  test(`on ${name} a person, a plan and a post are found by one word, opened by keys, and Back closes the search`, async ({
    join,
    joinVerified,
    open,
  }) => {
    const word = `kapwa${Math.random().toString(36).slice(2, 8)}`;
    const creator = await joinVerified('Rica Ramos');
    const planId = await createPlan(creator, `Walk ${word}`);
    const postId = await createPost(creator, `A day of ${word}`);
    const about = { ...eachAboutText(() => ''), hobby: word, birthDate: '1995-06-15', phoneNumber: '' };
    await creator.client.call(profiles.updateAbout, { body: about });
    const { id } = await readProfile(creator);

    const page = await open(await join('Lia Luna'), { viewport });
    await page.goto('/all-users');
    await expect(page.getByRole('heading', { name: 'Find Friends' })).toBeVisible();
    const field = page.getByRole('combobox', { name: 'Search people, plans and posts' });
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await expect(field).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(field).toBeHidden();
    // Any screen, by the key.
    await page.keyboard.press('/');
    await expect(field).toBeFocused();
    // What was closed has left the history first.
    await expect.poll(() => page.evaluate(() => history.state.isOverlay)).toBe(true);
    await page.goBack();
    await expect(field).toBeHidden();
    await expect(page).toHaveURL(/\/all-users$/);

    await page.keyboard.press('/');
    const requests: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/api/search/')) requests.push(request.url());
    });
    await field.pressSequentially(word, { delay: 20 });
    const options = page.getByRole('option');
    await expect(options).toHaveCount(4);
    expect(requests).toHaveLength(1);
    expect(
      await options.evaluateAll((links) =>
        links.map((link) => new URL((link as HTMLAnchorElement).href).pathname),
      ),
    ).toEqual([`/profile/${id}`, `/profile/plan-details/${planId}`, `/post/${postId}`, '/explore']);
    expect(await findViolations(page)).toEqual([]);
    const box = await page.getByRole('dialog').boundingBox();
    await field.fill('nothinghasthisword');
    await expect(page.getByText('Nothing matches “nothinghasthisword”')).toBeVisible();
    expect(await page.getByRole('dialog').boundingBox()).toEqual(box);
    await field.fill(word);
    await expect(options).toHaveCount(4);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { name: `Walk ${word}` })).toBeVisible();
    await expect(field).toBeHidden();
    // The screen before, and not the search.
    await page.goBack();
    await expect(page.getByRole('heading', { name: 'Find Friends' })).toBeVisible();
    await expect(field).toBeHidden();
  });

test('what is typed after / is there once the search has opened, however slow its code arrives', async ({
  join,
  open,
}) => {
  const page = await open(await join('Lia Luna'));
  await page.route(/\/assets\/SearchDialog-/, async (route) => {
    await new Promise((done) => setTimeout(done, 1_500));
    await route.continue();
  });
  await page.goto('/all-users');
  await expect(page.getByRole('heading', { name: 'Find Friends' })).toBeVisible();
  await page.keyboard.type('/island');
  const field = page.getByRole('combobox', { name: 'Search people, plans and posts' });
  await expect(field).toHaveValue('island');
  await expect(field).toBeFocused();
  await page.keyboard.type(' hop');
  await expect(field).toHaveValue('island hop');
});
