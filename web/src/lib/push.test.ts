import { devices, type PushDevice } from '@tara/contract/notifications/devices';
import { notifications } from '@tara/contract/notifications/notifications';
import { afterEach, describe, expect, test } from 'vitest';
import { showNotification, stubPushBrowser } from '../testing/push-browser.ts';
import { refusal } from '../testing/screen.tsx';
import { stubServer } from '../testing/stub-server.ts';
import { closeReadPushes } from './close-pushes.ts';
import { syncPush, turnOffPush, turnOnPush } from './push.ts';
import {
  closePushCard,
  declinePush,
  forgetPush,
  offerPush,
  pushAccount,
  pushSupport,
  storePushAccount,
  usePushCard,
} from './push-choice.ts';

const server = stubServer();
afterEach(() => {
  localStorage.clear();
  closePushCard();
});

const key = new Uint8Array([4, 251, 255]);
const publicKey = 'BPv_';
const device: PushDevice = {
  ...{ id: 'phone', clientName: 'Chrome', osName: 'Android', deviceName: 'smartphone' },
  ...{ current: true, showsText: false, createdAt: '', renewedAt: '' },
};
const line = ({ method, path }: { method: string; path: string }) => `${method} ${path}`;
const body = (number: number) => ({
  endpoint: `https://push.example/${number}`,
  p256dh: `p${number}`,
  auth: 'a',
});
function answer({ own = [] as PushDevice[], renewal = publicKey } = {}) {
  server.answer(line(devices.list), 200, { publicKey, devices: own });
  server.answer(line(devices.register), 200, device);
  server.answer(line(devices.renew), 200, { publicKey: renewal });
  server.answer(line(devices.remove), 200, { status: 'ok' });
}
const sent = () => server.requests.filter(({ line }) => line.startsWith('POST'));
const reason = () => usePushCard.getState().reason;

describe('turning notifications on', () => {
  test('subscribes with the key of the server, in place of an older subscription, and remembers the account', async () => {
    const browser = stubPushBrowser();
    browser.subscribe(new Uint8Array([1]));
    answer();
    expect(await turnOnPush('Ana')).toBe('on');
    expect(new Uint8Array(browser.subscription?.options.applicationServerKey ?? [])).toEqual(key);
    expect(sent()).toEqual([{ line: line(devices.register), body: body(2) }]);
    expect(pushAccount()).toBe('Ana');
  });

  test.for([
    ['denied', 'denied'],
    ['default', 'dismissed'],
  ] as const)(
    'asks nothing of the server when the browser’s question is answered %s',
    async ([answer, result]) => {
      const browser = stubPushBrowser();
      browser.answer = answer;
      expect(await turnOnPush('Ana')).toBe(result);
      expect(server.requests).toEqual([]);
      expect(pushAccount()).toBeNull();
    },
  );

  test('says when the browser has no push service', async () => {
    stubPushBrowser().hasPushService = false;
    answer();
    expect(await turnOnPush('Ana')).toBe('away');
    expect(sent()).toEqual([]);
    expect(pushAccount()).toBeNull();
  });
});

test('turning notifications off ends the subscription, and closes what is shown', async () => {
  const browser = stubPushBrowser();
  answer();
  await turnOnPush('Ana');
  showNotification(browser, 'request-1');
  await turnOffPush('phone');
  expect(sent().at(-1)).toEqual({ line: line(devices.remove), body: { deviceId: 'phone' } });
  expect([browser.subscription, browser.shown, pushAccount()]).toEqual([null, [], null]);
});

describe('a start of the app', () => {
  const begin = () => {
    const browser = stubPushBrowser();
    browser.permission = 'granted';
    storePushAccount('Ana');
    return browser;
  };

  test('asks nothing where notifications are off', async () => {
    stubPushBrowser();
    await syncPush('Ana');
    expect(server.requests).toEqual([]);
  });

  test('ends the subscription of another member who was here', async () => {
    const browser = begin();
    browser.subscribe(key);
    await syncPush('Ben');
    expect(server.requests).toEqual([]);
    expect([browser.subscription, pushAccount(), reason()]).toEqual([null, null, null]);
  });

  test('sends the subscription of now', async () => {
    begin().subscribe(key);
    answer();
    await syncPush('Ana');
    expect(server.requests).toEqual([{ line: line(devices.renew), body: body(1) }]);
    expect(reason()).toBeNull();
  });

  test('subscribes anew when the server has another key', async () => {
    const browser = begin();
    browser.subscribe(new Uint8Array([1]));
    answer();
    await syncPush('Ana');
    expect(sent().map(({ body }) => body)).toEqual([body(1), body(2)]);
    expect(new Uint8Array(browser.subscription?.options.applicationServerKey ?? [])).toEqual(key);
  });

  test('makes a lost subscription anew while the server sends to this device', async () => {
    begin();
    answer({ own: [device] });
    await syncPush('Ana');
    expect(sent()).toEqual([{ line: line(devices.renew), body: body(1) }]);
    expect(reason()).toBeNull();
  });

  test.for([
    ['the server knows this device no more', true, 'granted'],
    ['the browser lost its subscription, and the server the device', false, 'granted'],
    ['the person took the permission back', true, 'default'],
  ] as const)('says that notifications stopped when %s', async ([, isSubscribed, permission]) => {
    const browser = begin();
    browser.permission = permission;
    if (isSubscribed) browser.subscribe(key);
    answer();
    const { status, body } = refusal(devices.renew, 'device_not_found');
    server.answer(line(devices.renew), status, body);
    await syncPush('Ana');
    expect(reason()).toBe('stopped');
  });

  test('has the server forget a device whose person took the permission back', async () => {
    begin().permission = 'default';
    answer({ own: [{ ...device, id: 'laptop', current: false }, device] });
    await syncPush('Ana');
    expect(sent()).toEqual([{ line: line(devices.remove), body: { deviceId: 'phone' } }]);
    expect(reason()).toBe('stopped');
  });

  test('says nothing without a network', async () => {
    begin().subscribe(key);
    const { status, body } = refusal(devices.renew, 'general_unavailable');
    server.answer(line(devices.renew), status, body);
    await syncPush('Ana');
    expect([reason(), pushAccount()]).toEqual([null, 'Ana']);
  });
});

describe('the offer', () => {
  test('is made after something was sent, and never again after “Not now”', () => {
    stubPushBrowser();
    offerPush('message');
    expect(reason()).toBe('message');
    declinePush();
    expect(reason()).toBeNull();
    offerPush('request');
    expect(reason()).toBeNull();
  });

  test('is not made where notifications are on, were blocked, or cannot be', () => {
    offerPush('request');
    expect([pushSupport(), reason()]).toEqual(['unsupported', null]);
    const browser = stubPushBrowser();
    browser.permission = 'denied';
    offerPush('request');
    expect([pushSupport(), reason()]).toEqual(['denied', null]);
    browser.permission = 'granted';
    storePushAccount('Ana');
    offerPush('request');
    expect([pushSupport(), reason()]).toEqual(['supported', null]);
  });
});

test('a member who leaves takes the notifications along', async () => {
  const browser = stubPushBrowser();
  answer();
  await turnOnPush('Ana');
  showNotification(browser, 'request-1');
  await forgetPush();
  expect([browser.subscription, browser.shown, pushAccount()]).toEqual([null, [], null]);
});

test('what was read is closed, and nothing is asked where nothing is shown', async () => {
  const browser = stubPushBrowser();
  await closeReadPushes();
  expect(server.requests).toEqual([]);
  for (const tag of ['chat-1', 'chat-2', 'chat-1', '']) showNotification(browser, tag);
  server.answer(line(notifications.findRead), 200, { read: ['chat-1'] });
  await closeReadPushes();
  expect(server.requests.map(({ body }) => body)).toEqual([{ tags: ['chat-1', 'chat-2'] }]);
  expect(browser.shown.map(({ tag }) => tag)).toEqual(['chat-2', '']);
});
