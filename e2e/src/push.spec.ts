import type { Page, Worker } from '@playwright/test';
import { accounts } from '@tara/contract/accounts/accounts';
import { messages } from '@tara/contract/messages/messages';
import { acceptedConversation } from './chats.ts';
import { storeApp } from './people.ts';
import { expect, test } from './server-fixture.ts';

/** What a test needs of the service worker's global scope, which the types of pages do not have. */
interface WorkerScope extends EventTarget {
  registration: ServiceWorkerRegistration;
  NotificationEvent: new (type: string, init: { notification: Notification }) => Event;
  clients: { openWindow: (url: string) => Promise<null> };
  opened?: string[];
  /** How many notifications have come on screen. */
  shownCount?: number;
}

/** A page of a phone that stores the app and allows notifications, and what its push service delivers. */
async function openPhone(page: Page, url: string) {
  const context = page.context();
  await context.grantPermissions(['notifications'], { origin: url });
  const devTools = await context.newCDPSession(page);
  const registered = new Promise<string>((done) => {
    devTools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const [registration] = registrations;
      if (registration) done(registration.registrationId);
    });
  });
  await devTools.send('ServiceWorker.enable');
  await page.goto('/');
  await storeApp(page);
  const registrationId = await registered;
  const [worker] = context.serviceWorkers();
  if (!worker) throw new Error('There is no service worker.');
  await worker.evaluate(() => {
    const scope = self as unknown as WorkerScope;
    const { registration } = scope;
    const show = registration.showNotification.bind(registration);
    scope.shownCount = 0;
    registration.showNotification = async (...notification) => {
      await show(...notification);
      scope.shownCount = (scope.shownCount ?? 0) + 1;
    };
  });
  const countShown = () => worker.evaluate(() => (self as unknown as WorkerScope).shownCount ?? 0);
  return {
    worker,
    /**
     * Without a message it delivers a push without data. Resolves once its notification is on screen: Chromium stores one before
     * it shows it, and forgets it for good when the notifications on screen are asked for in between.
     */
    deliver: async (message?: object) => {
      const before = await countShown();
      await devTools.send('ServiceWorker.deliverPushMessage', {
        ...{ origin: url, registrationId, data: message ? JSON.stringify(message) : '' },
      });
      await expect.poll(countShown).toBe(before + 1);
    },
  };
}

/** The notifications on screen. */
const shown = (worker: Worker) =>
  worker.evaluate(async () => {
    const { registration } = self as unknown as WorkerScope;
    const notifications = await registration.getNotifications();
    return notifications.map(({ title, body, tag }) => ({ title, body, tag }));
  });

/** Presses a notification, as the system does. */
const press = (worker: Worker, tag: string) =>
  worker.evaluate(async (tag) => {
    const scope = self as unknown as WorkerScope;
    const [notification] = await scope.registration.getNotifications({ tag });
    if (!notification) throw new Error('There is no such notification.');
    const event = new scope.NotificationEvent('notificationclick', { notification });
    // Refused of an event that a script made.
    Object.defineProperty(event, 'waitUntil', { value: () => undefined });
    scope.dispatchEvent(event);
  }, tag);

test('a push shows a notification, whose press opens its screen in the window that is open', async ({
  join,
  openWindowed,
  tara,
}) => {
  const page = await openWindowed(await join('Ana'), {
    ...{ serviceWorkers: 'allow', viewport: { width: 390, height: 844 } },
  });
  const { worker, deliver } = await openPhone(page, tara.url);
  await deliver({ title: 'Ben wrote to you', url: '/chats', tag: 'chat-1' });
  await deliver({ title: 'Ben wrote 2 messages', url: '/chats', tag: 'chat-1' });
  await expect
    .poll(() => shown(worker))
    .toEqual([{ title: 'Ben wrote 2 messages', body: '', tag: 'chat-1' }]);

  // What was read elsewhere goes with the next push.
  const accepted = {
    title: 'Ben accepted your request',
    text: 'Island tour',
    url: '/manage-plans?tab=history',
  };
  await deliver({ ...accepted, tag: 'request-1', closes: ['chat-1'] });
  await expect
    .poll(() => shown(worker))
    .toEqual([{ title: accepted.title, body: accepted.text, tag: 'request-1' }]);

  await page.evaluate(() => Object.assign(window, { isSame: true }));
  await press(worker, 'request-1');
  await expect(page.getByRole('heading', { level: 1, name: 'Plan Manager' })).toBeVisible();
  expect(page.url()).toBe(tara.url + accepted.url);
  // The app went there by itself, without a load.
  expect(await page.evaluate(() => 'isSame' in window)).toBe(true);
  expect(await shown(worker)).toEqual([]);

  // Never to another site.
  await deliver({ title: 'Test', url: 'https://evil.example/', tag: 'test' });
  await expect.poll(() => shown(worker)).toHaveLength(1);
  await press(worker, 'test');
  await expect(page.getByRole('textbox', { name: 'Quick post' })).toBeVisible();

  // Browsers end the permission of a site whose pushes show nothing.
  await deliver();
  await expect.poll(() => shown(worker)).toMatchObject([{ title: 'Tara', tag: '' }]);
});

test('the press of a notification opens the app where no window is open', async ({
  join,
  openWindowed,
  tara,
}) => {
  const page = await openWindowed(await join('Ben'), { serviceWorkers: 'allow' });
  const { worker, deliver } = await openPhone(page, tara.url);
  await deliver({ title: 'Ana wrote to you', url: '/chats', tag: 'chat-2' });
  await expect.poll(() => shown(worker)).toHaveLength(1);
  await worker.evaluate(() => {
    const scope = self as unknown as WorkerScope;
    const opened: string[] = [];
    // Only a person's press may open a window.
    scope.clients.openWindow = async (url) => {
      opened.push(url);
      return null;
    };
    scope.opened = opened;
  });
  await page.goto('about:blank');
  await press(worker, 'chat-2');
  await expect.poll(() => worker.evaluate(() => (self as unknown as WorkerScope).opened)).toEqual(['/chats']);
});

test('reading closes its notification, in the app that is open and of what was read elsewhere', async ({
  join,
  openWindowed,
  tara,
}) => {
  const [ana, ben] = [await join('Ana'), await join('Ben')];
  const { id, path, send } = await acceptedConversation(ben, ana);
  const page = await openWindowed(ana, { serviceWorkers: 'allow' });
  const { worker, deliver } = await openPhone(page, tara.url);
  const { account } = await ana.client.call(accounts.session);
  // As after turning notifications on: no browser of a test reaches a push service.
  await page.evaluate((accountId) => localStorage.setItem('tara-push', accountId), account.id);
  const show = async (tag: string) => {
    await deliver({ title: 'Something happened', url: '/', tag });
    await expect.poll(async () => (await shown(worker)).map((one) => one.tag)).toContain(tag);
  };
  const tags = async () => (await shown(worker)).map(({ tag }) => tag);

  // Read elsewhere: by a call, while this window shows another screen.
  await send(ben, 'Are you there?');
  await show(`chat-${id}`);
  await show('test');
  await ana.client.call(messages.mark, { body: { chatId: id, read: 2 } });
  await expect.poll(tags).toEqual(['test']);

  // Read here.
  await send(ben, 'See you at noon');
  await show(`chat-${id}`);
  await page.goto(path);
  await expect(page.getByText('See you at noon').first()).toBeVisible();
  await expect.poll(tags).toEqual(['test']);
});
