import { expect, type Locator, type Page } from '@playwright/test';
import { notices } from '@tara/contract/notices';
import { linkInMail } from './outside.ts';
import { photo } from './photos.ts';
import { Authenticator } from './second-factor.ts';
import { type Person, password } from './steps.ts';

/** Steps of people in the browser, for the journey and the specs; elements are found by role or label. */

/** A file for a file chooser: a JPEG drawn from a seed. */
export const jpeg = async (name: string, seed: number) => ({
  name: `${name}.jpg`,
  mimeType: 'image/jpeg',
  buffer: await photo(seed),
});

/** §2 /sign-up, the mail, its link, and being in. */
export async function signUp(page: Page, { name, email }: Person): Promise<void> {
  await page.goto('/sign-up');
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByLabel('Username').fill(name.slice(0, 15));
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByLabel('I am 18 or older').check();
  await page.getByLabel('I agree to the terms and the privacy policy').check();
  await page.getByRole('button', { name: 'Submit' }).click();
  await expect(
    page.getByText('check your email to confirm your account', { exact: true }).first(),
  ).toBeVisible();
  await openMailbox(page, email);
  await confirmationMail(page).click();
  await confirmationLink(page).click();
  await page.waitForURL((address) => address.pathname === '/welcome');
  await page.getByRole('link', { name: '3 Look around' }).click();
  await page.getByRole('button', { name: 'Go to Home' }).click();
  await page.waitForURL((address) => address.pathname === '/');
  await expect(page.getByRole('link', { name: name }).first()).toBeVisible();
}

/** Opens the mails to somebody, once the link that confirms the email is among them. */
export async function openMailbox(page: Page, email: string): Promise<void> {
  await linkInMail({ url: new URL(page.url()).origin }, email, '/confirming');
  await page.goto(`/mailbox/?to=${encodeURIComponent(email)}`);
}

export const confirmationMail = (page: Page) => page.getByRole('link', { name: /confirm/i }).first();
export const confirmationLink = (page: Page) => page.getByRole('link', { name: /\/confirming\?/ }).first();

/** Chooses a birth date in the dialog of its field. */
export async function chooseBirthDate(page: Page): Promise<void> {
  await page.getByLabel('Birth date').click();
  await page.getByLabel('Day, month and year').fill('1995-06-15');
  await page.getByRole('button', { name: 'Choose', exact: true }).click();
}

/** §2 /verifying-identity with three real pictures. */
export async function askToBeVerified(page: Page, seed: number): Promise<void> {
  await page.goto('/verifying-identity');
  await fillVerification(page, seed);
}

/** Fills the open form in, and sends it. */
export async function fillVerification(page: Page, seed: number): Promise<void> {
  await chooseBirthDate(page);
  for (const [index, label] of ['Front of your ID', 'Back of your ID', 'Photo of yourself'].entries()) {
    await page.getByLabel(label).setInputFiles(await jpeg(`paper-${index}`, seed * 10 + index));
  }
  await page.getByLabel('Address').fill('12 Mabini Street, Cebu City');
  await page.getByLabel('I accept the terms and conditions').check();
  await page.getByRole('button', { name: /send/i }).click();
  await expect(page.getByText('Your request has been sent.', { exact: true }).first()).toBeVisible();
}

/** Sets up the second factor of an admin, who is led to it by the first admin page, and ends at that page. */
export async function setUpSecondFactor(page: Page): Promise<void> {
  await page.goto('/verify-users');
  await page.getByRole('button', { name: 'Start' }).click();
  const key = (await page.getByText(/^([A-Z2-7]{4} ){7}[A-Z2-7]{4}$/).textContent()) ?? '';
  await page
    .getByLabel('Code', { exact: true })
    .fill(await new Authenticator(key.replaceAll(' ', '')).code());
  await page.getByRole('button', { name: 'Set up' }).click();
  await page.getByRole('button', { name: 'I have saved them' }).click();
  await page.waitForURL(/\/verify-users$/);
}

/** Accepts somebody's identity check as the admin (§7). */
export async function acceptVerification(page: Page, name: string): Promise<void> {
  await page.goto('/verify-users');
  await page
    .getByRole('main')
    .getByRole('link', { name: new RegExp(name) })
    .first()
    .click();
  await page.getByRole('button', { name: 'Accept' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Accept' }).click();
  await expect(page.getByText(`${name} is verified.`, { exact: true }).first()).toBeVisible();
}

/** Posts a picture with a place and the tags `sea` and `freedive`, and ends at the feed. */
export async function createPost(page: Page, caption: string): Promise<void> {
  await page.goto('/create-post');
  await page.getByLabel('Add Profile Picture').setInputFiles(await jpeg('sea', 5));
  await page.getByLabel('Caption').fill(caption);
  await page.getByLabel('Add Location').fill('Moalboal, Cebu');
  await page.getByLabel('Add Tags').fill('sea, free dive');
  await page.getByRole('button', { name: 'Create Post' }).click();
  await page.waitForURL((address) => address.pathname === '/');
}

/** Opens a post of the feed by its picture and likes it. */
export async function likePost(page: Page, caption: string): Promise<void> {
  await page.goto('/');
  const post = page.getByRole('article').filter({ hasText: caption });
  await expect(post).toContainText('#freedive');
  await post.getByRole('link', { name: caption }).click();
  await page.waitForURL(/\/post\//);
  const like = page.getByRole('button', { name: 'Like, 0 likes' });
  // The feed stays until the post is there.
  await expect(like).toHaveCount(1);
  await like.click();
  await expect(page.getByRole('button', { name: /like/i }).first()).toContainText('1');
}

/** Enters the phone number that a creator needs. */
export async function enterPhoneNumber(page: Page): Promise<void> {
  await page.goto('/update-profile');
  await page.getByRole('tab', { name: 'Edit profile info' }).click();
  await page.getByLabel('Phone number').fill('09171234567');
  await page.getByRole('button', { name: /save|update/i }).click();
  await expect(page.getByText(notices.profileUpdated.title, { exact: true }).first()).toBeVisible();
}

/** Offers a plan for 750 pesos (§2). */
export async function createPlan(page: Page, title: string): Promise<void> {
  await page.goto('/');
  await page.getByRole('link', { name: 'Create a plan' }).click();
  await page.getByLabel('Add photos').setInputFiles(await jpeg('cover', 6));
  await page.getByLabel('Title').fill(title);
  await page.getByLabel('Description').fill('Three islands, one small boat, lunch on the sand.');
  await page.getByLabel('Time').fill('7am-4pm');
  await page.getByLabel('Price in pesos').fill('750');
  await page.getByLabel('Your terms').fill('Meet in a public place. Be on time, be kind.');
  await page.getByLabel('Accept terms and conditions').check();
  await page.getByRole('button', { name: 'Create plan' }).click();
  await expect(page.getByText(notices.planCreated.title, { exact: true }).first()).toBeVisible();
}

/** A day as a date field takes it. */
export const dayAhead = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

/** Finds a creator by name, opens the plan and requests it. */
export async function requestPlan(page: Page, creator: string, title: string): Promise<void> {
  await page.goto('/all-users');
  await page.getByRole('searchbox').fill(creator);
  await page
    .getByRole('main')
    .getByRole('link', { name: new RegExp(creator) })
    .first()
    .click();
  await page.getByRole('link', { name: 'View Plans' }).click();
  await page
    .getByRole('link', { name: new RegExp(title) })
    .first()
    .click();
  await page.getByRole('button', { name: 'Choose a day' }).click();
  await page.getByRole('radio', { name: 'Another day' }).check();
  await page.getByLabel('Day', { exact: true }).fill(dayAhead(3));
  await page.getByLabel('Time').fill('18:30');
  await page.getByLabel('Place').fill('Luneta Park');
  await page.getByLabel('Accept terms and conditions').check();
  await page.getByRole('button', { name: 'Send Request' }).click();
  await expect(page.getByText(notices.requestSent.title, { exact: true }).first()).toBeVisible();
}

/** The card of a request in Plan Manager. */
export const requestCard = (page: Page, title: string): Locator =>
  page.getByRole('article').filter({ hasText: title });

/** Opens a tab of Plan Manager. */
export async function openManager(page: Page, tab: RegExp): Promise<void> {
  await page.goto('/manage-plans');
  await page.getByRole('tab', { name: tab }).click();
}

/** Opens the hosted checkout of an open request. */
export async function openCheckout(page: Page, title: string): Promise<void> {
  await openManager(page, /^Your Request/);
  await requestCard(page, title).getByRole('link', { name: /^Pay/ }).click();
}

/** Pays at the open checkout with a test card. */
export async function enterCard(page: Page, number: string): Promise<void> {
  await page.getByLabel('Card number').fill(number);
  await page.getByLabel('Expiry').fill('12/34');
  await page.getByLabel('CVC').fill('123');
  await page.getByLabel('Name on card').fill('Ben');
  await page.getByRole('button', { name: 'Pay ₱750.00' }).click();
}

/** Pays an open request at the hosted checkout, and returns. */
export async function payRequest(page: Page, title: string): Promise<void> {
  await openCheckout(page, title);
  await enterCard(page, '5555444444444457');
  await expect(page.getByRole('heading', { name: 'Payment successful' })).toBeVisible();
  await page.getByRole('link', { name: 'Return' }).click();
  await expect(requestCard(page, title).getByText('paid', { exact: true })).toBeVisible();
}

export async function writeMessage(page: Page, message: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Message' }).fill(message);
  await page.getByRole('button', { name: 'Send', exact: true }).click();
}

/** Marks the plan of an open chat as fulfilled. */
export async function fulfil(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Plan is fulfilled' }).click();
  const sure = page.getByRole('alertdialog').or(page.getByRole('dialog'));
  await expect(sure).toContainText('You will not be able to change it after');
  await sure.getByRole('button', { name: 'Plan is fulfilled' }).click();
  await expect(page.getByRole('button', { name: 'Plan is fulfilled' })).toBeHidden();
}

/** Confirms a fulfilled request as the admin (§7). */
export async function confirmFulfilled(page: Page, title: string): Promise<void> {
  await page.goto('/confirm-plans');
  await page
    .getByRole('main')
    .getByRole('link', { name: new RegExp(title) })
    .first()
    .click();
  await page.getByRole('button', { name: 'Confirm', exact: true }).click();
  const dialog = page.getByRole('alertdialog').or(page.getByRole('dialog'));
  // Within 48 hours of the fulfilment it asks once more.
  await expect(dialog).toContainText('may still object until');
  await dialog.getByRole('button', { name: 'Go on' }).click();
  await dialog.getByRole('button', { name: 'Confirm', exact: true }).click();
  await expect(page.getByText(notices.planConfirmed.title, { exact: true }).first()).toBeVisible();
}

/** Reviews a confirmed request, from the history. */
export async function writeReview(page: Page, title: string, caption: string): Promise<void> {
  await page.goto('/');
  await page.getByRole('link', { name: 'History' }).click();
  await requestCard(page, title).getByRole('link', { name: 'Write a review' }).click();
  await page.getByLabel('Your review').fill(caption);
  await page.getByLabel('Location').fill('Mactan');
  await page.getByLabel('Add photos').setInputFiles(await jpeg('memory', 7));
  await page.getByRole('radio', { name: '9' }).check({ force: true });
  await page.getByRole('button', { name: /write|send|publish|submit/i }).click();
  await page.waitForURL((address) => !address.pathname.startsWith('/write-a-review'));
}

/** Waits until the app is stored on the device. */
export const storeApp = (page: Page) =>
  page.evaluate(async () => {
    const { active } = await navigator.serviceWorker.ready;
    if (active?.state !== 'activated')
      await new Promise((done) => active?.addEventListener('statechange', done, { once: true }));
  });

/** The keys of what is stored of screens. */
export const storedKeys = (page: Page) =>
  page.evaluate(async () => {
    const wait = <Value>(request: IDBRequest<Value>) =>
      new Promise<Value>((done) => request.addEventListener('success', () => done(request.result)));
    // Opening a database that the app has not made yet would make it, without its table.
    const databases = await indexedDB.databases();
    if (!databases.some(({ name }) => name === 'tara-stored')) return [];
    const database = await wait(indexedDB.open('tara-stored'));
    const keys = await wait(database.transaction('replies').objectStore('replies').getAllKeys());
    database.close();
    return keys.map(String);
  });

/** Waits until a reply is stored whose key has the words. */
export const expectStored = (page: Page, words: string) =>
  expect.poll(() => storedKeys(page)).toContainEqual(expect.stringContaining(words));
