import type { Locator, Page } from '@playwright/test';
import { findViolations, waitUntilDrawn } from './axe.ts';
import { forms } from './form-cases.ts';
import { expect, test } from './server-fixture.ts';
import { readProfile } from './steps.ts';

/** The narrow layout in the light theme, the wide one in the dark one. */
const deviceFor = (width: number) =>
  ({ viewport: { width, height: 844 }, colorScheme: width < 768 ? 'light' : 'dark' }) as const;

/** What a page reports of itself. */
interface Watch {
  /** What the last click reached; with `holdsBack` nothing is pressed by it. */
  reached: Node | null;
  holdsBack: boolean;
  /** What must not change: the height, and the layout shifts so far, those right after an input too. */
  layout(): { height: number; shifted: number };
  /** The layout once it has been stable for some frames: typing and scrolling may still move it on a busy machine. */
  settle(): Promise<{ height: number; shifted: number }>;
}

function installWatch() {
  let shifted = 0;
  const watch: Watch = {
    reached: null,
    holdsBack: false,
    layout: () => ({ height: document.documentElement.scrollHeight, shifted }),
    async settle() {
      const position = () => JSON.stringify([watch.layout(), scrollY]);
      for (let last = '', still = 0; still < 6; ) {
        await new Promise(requestAnimationFrame);
        still = position() === last ? still + 1 : 0;
        last = position();
      }
      return watch.layout();
    },
  };
  Object.assign(window, { watch });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) shifted += Reflect.get(entry, 'value');
  }).observe({ type: 'layout-shift', buffered: true });
  addEventListener(
    'click',
    (event) => {
      watch.reached = event.target as Node | null;
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

/**
 * Marks the first control below a field, shows it, and returns its position once the page is still; null without one.
 */
const showBelow = (field: Locator) =>
  field.evaluate(async (element) => {
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
    const watch: Watch = Reflect.get(window, 'watch');
    const layout = await watch.settle();
    // A form that is loaded when it is used has taken the place of what was there.
    if (!below?.isConnected) return null;
    Object.assign(watch, { reached: null, holdsBack: true });
    const { x, y, width, height } = below.getBoundingClientRect();
    return { layout, box: { x, y, width, height } };
  });

const settledLayout = (page: Page) => page.evaluate(() => (Reflect.get(window, 'watch') as Watch).settle());

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
  let before = await showBelow(field);
  while (!before) before = await showBelow(field);
  await press(page, before.box);
  const after = await page.locator('[data-below]').evaluate(async (element) => {
    const watch: Watch = Reflect.get(window, 'watch');
    watch.holdsBack = false;
    const isReached = watch.reached !== null && element.contains(watch.reached);
    // What the click changed is drawn by then.
    await new Promise(requestAnimationFrame);
    const { x, y, width, height } = element.getBoundingClientRect();
    return { isReached, layout: watch.layout(), box: { x, y, width, height } };
  });
  expect.soft(after.isReached, `the click below ${label} arrives`).toBe(true);
  expect.soft(after.layout, `the page when ${label} is left`).toEqual(before.layout);
  expect.soft(after.box, `what is below ${label} after it was left`).toEqual(before.box);
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
      const page = await openDemo(person, { ...deviceFor(width), initScript: installWatch });
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
      expect(
        await page.evaluate(() => (Reflect.get(window, 'watch') as Watch).layout()),
        'the page when the errors are shown',
      ).toEqual(before);
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
    const guest = await openDemo(null, deviceFor(width));
    await guest.goto('/sign-up');
    await waitUntilDrawn(guest);
    await guest.getByLabel('Name', { exact: true }).fill('A.');
    await pressWhereItStands(guest.getByRole('main').getByRole('link', { name: 'Sign in' }));
    await guest.waitForURL('**/sign-in');

    const ana = await demoPerson('ana');
    const page = await openDemo(ana, deviceFor(width));
    await page.goto(`/profile/create-plans/${(await readProfile(ana)).id}`);
    await waitUntilDrawn(page);
    await page.getByLabel('Price in pesos').fill('50');
    await pressWhereItStands(page.getByLabel('Accept terms and conditions'));
    await expect(page.getByLabel('Accept terms and conditions')).toBeChecked();
  });
}
