import type { Locator, Page } from '@playwright/test';
import { requestCases } from '@tara/contract/disputes';
import { interactions } from '@tara/contract/interactions';
import { plans } from '@tara/contract/plans';
import { posts } from '@tara/contract/posts';
import { reports } from '@tara/contract/reports';
import { findViolations, waitUntilDrawn } from './axe.ts';
import { expect, test } from './server-fixture.ts';
import { type Person, readProfile } from './steps.ts';

interface FormCase {
  name: string;
  /** The demo account that fills it in; null for a guest. */
  who: string | null;
  path: string | ((who: Person) => Promise<string>);
  /** An invalid value for each field, by its label. */
  wrong: Record<string, string>;
  submit: string;
  /** The steps to the dialog that holds the form. */
  openDialog?: (page: Page) => Promise<void>;
  /** The checkbox that must be checked before the form is shown or can be sent. */
  tick?: string;
}

const tooLong = 'x'.repeat(5001);
/** Short ones, because the links below the field show them. */
const tooManyTags = Array.from({ length: 60 }, (_, index) => `beach${index}`).join(', ');

/** The screen of the report of the demo world. */
async function openReportPath({ client }: Person): Promise<string> {
  const { items } = await client.call(reports.open, { query: {} });
  return `/reports?open=${items[0]?.id}`;
}

const forms: FormCase[] = [
  {
    name: 'sign in',
    who: null,
    path: '/sign-in',
    wrong: { Email: 'ana', Password: 'short' },
    submit: 'Sign In',
  },
  {
    name: 'sign up',
    who: null,
    path: '/sign-up',
    wrong: { Name: 'A.', Username: 'B.', Email: 'ana', Password: 'short' },
    submit: 'Submit',
  },
  {
    name: 'recovery',
    who: null,
    path: '/recovery',
    wrong: { Email: 'ana' },
    submit: 'Send the link',
  },
  {
    name: 'a new password',
    who: null,
    path: '/reset-password?userId=ana&secret=none',
    wrong: { 'New password': 'short', 'New password again': 'other' },
    submit: 'Save',
  },
  {
    name: 'the confirmation mailed again',
    who: null,
    path: '/verification-message',
    wrong: { Username: ' ' },
    submit: 'Resend email',
  },
  {
    name: 'a quick post',
    who: 'ana',
    path: '/',
    wrong: { 'Quick post': tooLong },
    submit: 'Post',
  },
  {
    name: 'a new post',
    who: 'ana',
    path: '/create-post',
    wrong: { Caption: tooLong, 'Add Location (optional)': tooLong, 'Add Tags (optional)': tooManyTags },
    submit: 'Create Post',
  },
  {
    name: 'a changed post',
    who: 'ana',
    path: async (ana) => {
      const { id } = await readProfile(ana);
      const { items } = await ana.client.call(posts.byCreator, { params: { id }, query: {} });
      return `/update-post/${items[0]?.id}`;
    },
    wrong: { Caption: tooLong, 'Add Location (optional)': tooLong, 'Add Tags (optional)': tooManyTags },
    submit: 'Update Post',
  },
  {
    name: 'a plan',
    who: 'ana',
    path: async (ana) => `/profile/create-plans/${(await readProfile(ana)).id}`,
    wrong: {
      Title: 'x'.repeat(31),
      'Description (optional)': tooLong,
      'Time (optional)': 'x'.repeat(11),
      'Place (optional)': 'x'.repeat(101),
      'Price in pesos': '50',
      'Your terms': 'short',
    },
    submit: 'Create plan',
  },
  {
    name: 'a changed plan',
    who: 'ana',
    path: async (ana) => {
      const { id } = await readProfile(ana);
      const { items } = await ana.client.call(plans.byCreator, { params: { id }, query: {} });
      return `/update-plan/${items[0]?.id}`;
    },
    wrong: {
      Title: 'x'.repeat(31),
      'Description (optional)': tooLong,
      'Place (optional)': 'x'.repeat(101),
      'Price in pesos': 'much',
      'Your terms': 'short',
    },
    submit: 'Save changes',
  },
  {
    name: 'a review',
    who: 'miguel',
    path: async ({ client }) => {
      const { items } = await client.call(interactions.interactionList, {
        params: { list: 'history' },
        query: {},
      });
      return `/write-a-review/${items.find((row) => row.adminSetDone && !row.reviewSubmitted)?.id}`;
    },
    wrong: { 'Your review': tooLong, 'Location (optional)': tooLong },
    submit: 'Publish review',
  },
  {
    name: 'a dispute',
    who: 'lia',
    path: async ({ client }) => {
      const { items } = await client.call(interactions.interactionList, {
        params: { list: 'yourRequest' },
        query: {},
      });
      return `/dispute/${items.find(({ stage }) => stage === 'paid')?.id}`;
    },
    wrong: { 'What happened?': tooLong },
    submit: 'Open a dispute',
  },
  {
    name: 'a decision',
    who: 'tala',
    path: async ({ client }) => {
      const { items } = await client.call(requestCases.disputes, { query: {} });
      return `/disputes?open=${items[0]?.id}`;
    },
    wrong: { Reason: tooLong },
    submit: 'Decide',
  },
  {
    name: 'verification',
    who: 'dan',
    path: '/verifying-identity',
    wrong: { Address: 'x' },
    submit: 'Send request',
    tick: 'I accept the terms and conditions',
  },
  {
    name: 'the about section',
    who: 'ana',
    path: '/update-profile?tab=info',
    wrong: {
      Bio: tooLong,
      Gender: tooLong,
      'Looking for': tooLong,
      Hobby: tooLong,
      Education: tooLong,
      'Phone number': '0'.repeat(31),
    },
    submit: 'Update',
  },
  {
    name: 'the about section before the verification',
    who: 'dan',
    path: '/update-profile?tab=info',
    wrong: { 'Birth date': '1899-12-31' },
    submit: 'Update',
  },
  {
    name: 'a profile picture',
    who: 'ana',
    path: '/update-profile',
    wrong: { Caption: tooLong },
    submit: 'Update picture',
    tick: 'Share it as a post',
  },
  {
    name: 'a report',
    who: 'ana',
    path: '/',
    openDialog: async (page) => {
      await page.getByRole('button', { name: 'More about Lia Tan' }).first().click();
      await page.getByRole('menuitem', { name: 'Report' }).click();
    },
    wrong: { 'What happened? (optional)': tooLong },
    submit: 'Send report',
  },
  {
    name: 'a warning',
    who: 'tala',
    path: openReportPath,
    wrong: { Warning: tooLong },
    submit: 'Warn',
  },
  {
    name: 'a suspension',
    who: 'tala',
    path: openReportPath,
    wrong: { 'Days of a suspension': '366' },
    submit: 'Suspend',
  },
];

/** The narrow layout in the light theme, the wide one in the dark one. */
const lookOf = (width: number) =>
  ({ viewport: { width, height: 844 }, colorScheme: width < 768 ? 'light' : 'dark' }) as const;

/** Counts layout shifts, those right after an input too, and notes what a click reached; nothing is pressed by it. */
function watchClicksAndShifts() {
  const watch = { shifted: 0, reached: null as EventTarget | null, holdsBack: false };
  Object.assign(window, { watch });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) watch.shifted += Reflect.get(entry, 'value');
  }).observe({ type: 'layout-shift', buffered: true });
  addEventListener(
    'click',
    (event) => {
      watch.reached = event.target;
      if (!watch.holdsBack) return;
      event.preventDefault();
      event.stopImmediatePropagation();
    },
    true,
  );
}

/** The control of a label, not a region of the same name. */
const fieldOf = (page: Page, label: string) =>
  page.getByLabel(label, { exact: true }).and(page.locator('input, textarea'));

/** Marks the first control below a field. */
async function findBelow(field: Locator): Promise<Locator> {
  await field.evaluate((element) => {
    for (const marked of document.querySelectorAll('[data-below]')) marked.removeAttribute('data-below');
    const { bottom } = element.getBoundingClientRect();
    const frame = element.closest('[role=dialog], main');
    const controls = [...(frame?.querySelectorAll('input, textarea, button, a[href], summary') ?? [])];
    const below = controls.find(
      (control) =>
        control.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_PRECEDING &&
        control.getBoundingClientRect().top >= bottom &&
        control.checkVisibility(),
    );
    below?.setAttribute('data-below', '');
    below?.scrollIntoView({ block: 'center' });
  });
  return field.page().locator('[data-below]');
}

/** The positions on the page, which must not change. */
const layoutOf = (page: Page) =>
  page.evaluate(() => ({
    height: document.documentElement.scrollHeight,
    shifted: Reflect.get(window, 'watch').shifted as number,
  }));

/** The layout once it stands still for some frames: typing and scrolling may still move it on a busy machine. */
const settledLayout = (page: Page): ReturnType<typeof layoutOf> =>
  page.evaluate(async () => {
    const read = () => ({
      height: document.documentElement.scrollHeight,
      shifted: Reflect.get(window, 'watch').shifted as number,
    });
    const position = () => JSON.stringify([read(), scrollY]);
    for (let last = '', still = 0; still < 6; ) {
      await new Promise(requestAnimationFrame);
      still = position() === last ? still + 1 : 0;
      last = position();
    }
    return read();
  });

/** Presses the mouse in the middle of a box as a person does: what the press changes is drawn before the release. */
async function press(
  page: Page,
  box: { x: number; y: number; width: number; height: number },
): Promise<void> {
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  await page.evaluate(
    () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
  );
  await page.mouse.up();
}

/** Enters an invalid value, then clicks at the position of the control below. */
async function leaveByClickingBelow(page: Page, label: string, value: string): Promise<void> {
  const field = fieldOf(page, label);
  await field.fill(value);
  let below = await findBelow(field);
  // It was scrolled to; where it stands counts once the page is still.
  let before = await settledLayout(page);
  // A form that is loaded when it is used has taken the place of what was found.
  while ((await below.count()) === 0) {
    below = await findBelow(field);
    before = await settledLayout(page);
  }
  const box = await below.boundingBox();
  expect(box, `what stands below ${label}`).not.toBeNull();
  if (!box) return;
  await page.evaluate(() => Object.assign(Reflect.get(window, 'watch'), { reached: null, holdsBack: true }));
  await press(page, box);
  const reached = await below.evaluate((element) => {
    const { watch } = window as unknown as { watch: { reached: Node | null; holdsBack: boolean } };
    watch.holdsBack = false;
    return watch.reached !== null && (element === watch.reached || element.contains(watch.reached));
  });
  expect.soft(reached, `the click below ${label} arrives`).toBe(true);
  expect.soft(await layoutOf(page), `the page when ${label} is left`).toEqual(before);
  expect.soft(await below.boundingBox(), `what stands below ${label} after it was left`).toEqual(box);
}

async function pressWhereItStands(control: Locator): Promise<void> {
  await control.scrollIntoViewIfNeeded();
  const box = await control.boundingBox();
  if (!box) throw new Error('There is no element to click.');
  await press(control.page(), box);
}

for (const width of [390, 1280]) {
  for (const { name, who, path, wrong, submit, openDialog, tick } of forms) {
    test(`the layout does not shift in the form of ${name}, ${width} px`, async ({
      openDemo,
      demoPerson,
    }) => {
      const person = who === null ? null : await demoPerson(who);
      const page = await openDemo(person, { ...lookOf(width), initScript: watchClicksAndShifts });
      await page.goto(typeof path === 'string' ? path : person ? await path(person) : '');
      await waitUntilDrawn(page);
      await openDialog?.(page);
      if (tick) await page.getByLabel(tick).check();
      for (const [label, value] of Object.entries(wrong)) await leaveByClickingBelow(page, label, value);

      const button = page.getByRole('button', { name: submit, exact: true });
      await button.scrollIntoViewIfNeeded();
      await expect(button).not.toHaveAttribute('aria-disabled');
      const before = await settledLayout(page);
      await button.click();
      await expect(page.locator('[aria-invalid=true]').first()).toBeFocused();
      expect(await layoutOf(page), 'the page when the errors are shown').toEqual(before);
      expect(await findViolations(page)).toEqual([]);

      // From now on each change is checked at once.
      for (const [label, value] of Object.entries(wrong)) {
        await expect(fieldOf(page, label)).toHaveAttribute('aria-invalid', 'true');
        await leaveByClickingBelow(page, label, value);
      }
    });
  }

  test(`the first click on a link and a checkbox below an invalid field arrives, ${width} px`, async ({
    openDemo,
    demoPerson,
  }) => {
    const guest = await openDemo(null, lookOf(width));
    await guest.goto('/sign-up');
    await waitUntilDrawn(guest);
    await guest.getByLabel('Name', { exact: true }).fill('A.');
    await pressWhereItStands(guest.getByRole('main').getByRole('link', { name: 'Sign in' }));
    await guest.waitForURL('**/sign-in');

    const ana = await demoPerson('ana');
    const page = await openDemo(ana, lookOf(width));
    await page.goto(`/profile/create-plans/${(await readProfile(ana)).id}`);
    await waitUntilDrawn(page);
    await page.getByLabel('Price in pesos').fill('50');
    await pressWhereItStands(page.getByLabel('Accept terms and conditions'));
    await expect(page.getByLabel('Accept terms and conditions')).toBeChecked();
  });
}
