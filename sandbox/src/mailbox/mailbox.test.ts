import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Fastify from 'fastify';
import { expect, it, onTestFinished } from 'vitest';
import { openAccess } from '../access.ts';
import { createMailbox } from './index.ts';
import { MAX_MAILS } from './store.ts';

async function openMailbox(folder = mkdtempSync(join(tmpdir(), 'mailbox-'))) {
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const server = Fastify();
  const mailbox = createMailbox({ folder, access: openAccess({ folder, always: false }) });
  await server.register(mailbox.plugin, { prefix: '/mailbox' });
  onTestFinished(() => server.close());
  const page = async (path: string) => (await server.inject(`/mailbox${path}`)).payload;
  return { mailbox, server, folder, page };
}

const mail = { to: 'Ana@Example.com', from: 'Tea <tea@example.com>', subject: 'Hi <b>', text: 'Hello' };

it('lists mail newest first and finds an address in any case', async () => {
  const { mailbox, server, page } = await openMailbox();
  await mailbox.deliver(mail);
  await mailbox.deliver({ ...mail, to: 'ben@example.com', subject: 'Second' });
  const list = await page('/');
  expect(list.indexOf('Second')).toBeLessThan(list.indexOf('Hi &lt;b&gt;'));
  expect(await page('/?to=ana@example.com')).not.toContain('Second');
  const { messages } = (await server.inject('/mailbox/messages?to=ANA@example.com')).json();
  expect(messages).toMatchObject([{ subject: 'Hi <b>', text: 'Hello' }]);
  expect(mailbox.latest('ana@example.com')?.subject).toBe('Hi <b>');
  expect(mailbox.latest('nobody@example.com')).toBeUndefined();
});

it('shows one mail with working links and without scripts', async () => {
  const { mailbox, server, page } = await openMailbox();
  const text = 'Open (https://site.example/confirm?a=1&b=2).\n<script>alert(1)</script> javascript:alert(1)';
  const { id } = await mailbox.deliver({ ...mail, text });
  const shown = await page(`/${id}`);
  expect(shown).toContain(
    '(<a href="https://site.example/confirm?a=1&amp;b=2">https://site.example/confirm?a=1&amp;b=2</a>).',
  );
  expect(shown).not.toContain('<script');
  expect(shown).not.toContain('href="javascript');
  const answer = await server.inject(`/mailbox/${id}`);
  expect(answer.headers['content-security-policy']).toContain("default-src 'none'");
  expect((await server.inject('/mailbox/nothing')).statusCode).toBe(404);
});

it('converts a mail that has only HTML to text', async () => {
  const { mailbox, page } = await openMailbox();
  const html =
    '<style>p{}</style><p>Dear &amp; friend</p><a class="x" href="https://x.example/?a=1&amp;b=2">Confirm</a>';
  const { id } = await mailbox.deliver({ to: 'a@b.c', from: 'd@e.f', subject: '', html });
  const shown = await page(`/${id}`);
  expect(shown).toContain('Dear &amp; friend');
  expect(shown).toContain('<a href="https://x.example/?a=1&amp;b=2">');
  expect(shown).not.toContain('p{}');
});

it('still has the newest 500 mails after a restart', async () => {
  const { mailbox, folder } = await openMailbox();
  for (let count = 0; count <= MAX_MAILS; count += 1) {
    await mailbox.deliver({ ...mail, subject: `number ${count}` });
  }
  mailbox.close();
  const { server } = await openMailbox(folder);
  const { messages } = (await server.inject('/mailbox/messages')).json();
  expect(messages).toHaveLength(MAX_MAILS);
  expect(messages.at(-1).subject).toBe('number 1');
});
