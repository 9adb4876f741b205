import { devices, type PushDevice } from '@tara/contract/notifications/devices';
import { cleanup, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, expect, test } from 'vitest';
import {
  closePushCard,
  offerPush,
  pushAccount,
  reportPushStopped,
  usePushCard,
} from '../../lib/push-choice.ts';
import { stubPushBrowser } from '../../testing/push-browser.ts';
import { renderScreen } from '../../testing/screen.tsx';
import { stubServer } from '../../testing/stub-server.ts';
import PushCard from './PushCard.tsx';

const server = stubServer();
afterEach(() => {
  cleanup();
  localStorage.clear();
  closePushCard();
});

const device: PushDevice = {
  ...{ id: 'here', clientName: 'Chrome', osName: 'Windows', deviceName: 'desktop' },
  ...{ current: true, showsText: false, createdAt: '', renewedAt: '' },
};
const gone = () => expect.poll(() => screen.queryByRole('region', { name: 'Notifications' })).toBeNull();

test('the card explains what notifications are for, and asks the browser when it is pressed', async () => {
  const browser = stubPushBrowser();
  server.answer('GET /api/device/list', 200, { publicKey: 'BPv_', devices: [] });
  server.answer(`POST ${devices.register.path}`, 200, device);
  offerPush('request');
  await renderScreen(<PushCard accountId="Ana" />);
  await screen.findByText('Know at once when they answer');
  expect(browser.permission).toBe('default');
  await userEvent.click(screen.getByRole('button', { name: 'Turn on' }));
  await gone();
  expect([browser.permission, pushAccount()]).toEqual(['granted', 'Ana']);
});

test.for([
  ['goes for good when the browser’s question is answered no', 'denied', null],
  ['goes until the next time when the push service is away', 'granted', 'message'],
] as const)('the card %s', async ([, answer, offeredAgain]) => {
  stubPushBrowser({ answer, hasPushService: false });
  server.answer('GET /api/device/list', 200, { publicKey: 'BPv_', devices: [] });
  offerPush('request');
  await renderScreen(<PushCard accountId="Ana" />);
  await userEvent.click(await screen.findByRole('button', { name: 'Turn on' }));
  await gone();
  if (answer === 'denied') stubPushBrowser();
  offerPush('message');
  expect(usePushCard.getState().reason).toBe(offeredAgain);
});

test('the card says that notifications stopped, and goes with “Not now” for good', async () => {
  stubPushBrowser();
  reportPushStopped();
  await renderScreen(<PushCard accountId="Ana" />);
  await screen.findByText('Notifications stopped on this device');
  await userEvent.click(screen.getByRole('button', { name: 'Not now' }));
  await gone();
  offerPush('message');
  await gone();
});
