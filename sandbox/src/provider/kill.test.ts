import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { nowMs } from '@tara/contract/clock';
import { createPaymongo, defaultAccount } from '@tara/paymongo';
import { expect, it, onTestFinished } from 'vitest';
import { card, newFolder, startProvider, startReceiver, until } from './testing/provider.ts';
import { SECRET_KEY } from './testing/server.ts';

it('loses nothing acknowledged at kill -9: pending transfers and deliveries continue', {
  timeout: 20_000,
}, async () => {
  const folder = newFolder();
  const script = fileURLToPath(new URL('./testing/child.ts', import.meta.url));
  const child = spawn(process.execPath, [script, folder], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  const [line] = await once(child.stdout, 'data');
  const address = String(line).trim();
  const client = createPaymongo({ secretKey: SECRET_KEY, baseUrl: address });

  const receiver = await startReceiver();
  receiver.answer = { status: 500, body: '{}' };
  await client.webhooks.create({ url: receiver.url, events: ['payment.paid'] });
  const link = await client.links.create({ amount: 50_000, description: 'Tea' });
  const form = new URLSearchParams(card('5555444444444457'));
  await fetch(`${address}/checkout/${link.id}/card`, { method: 'POST', body: form, redirect: 'manual' });
  const source = defaultAccount(await client.wallets.list());
  if (!source) throw new Error('no wallet account');
  const order = {
    amount: 45_000,
    currency: 'PHP',
    provider: 'instapay',
    source_account: source,
    destination_account: { number: '09171234567', name: 'Ana', bic: 'GXCHPHM2XXX' },
    reference_number: 'out-1',
  } as const;
  const sent = await client.transfers.create(order, 'key');
  await until(() => receiver.received.length === 1);
  child.kill('SIGKILL');
  await once(child, 'exit');

  receiver.answer = { status: 200, body: '{}' };
  // The clock of the new provider is an hour ahead, so the transfer and the retry are due.
  const clock = {
    now: () => nowMs() + 3_600_000,
    after(ms: number, run: () => void) {
      const timer = setTimeout(run, ms);
      return () => clearTimeout(timer);
    },
  };
  const stage = await startProvider({ folder, clock });
  await until(() => receiver.received.length === 2);
  expect(receiver.received[1]?.event).toEqual(receiver.received[0]?.event);
  await until(async () => (await stage.client.transfers.get(sent.id)).status === 'succeeded');
  expect((await stage.client.links.get(link.id)).status).toBe('paid');
  expect((await stage.client.transfers.create(order, 'key')).id).toBe(sent.id);
});
