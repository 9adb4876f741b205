import { expect, test } from 'vitest';
import { composeMail, renderMail } from './compose.ts';

const mail = renderMail('ben@example.com', 'Ben', {
  subject: 'Two <things>',
  parts: [
    { text: 'Text & more.' },
    { code: '123456' },
    {
      items: [
        { title: 'First', text: 'Of <b>it</b>', url: 'https://tara.example/a?b=1&c=2' },
        { title: 'Second', text: '', url: 'https://tara.example/d' },
      ],
    },
    { button: 'Open', url: 'https://tara.example/open' },
  ],
  last: ['Because.', '', undefined],
  links: [{ label: 'Settings', url: 'https://tara.example/settings' }],
});

test('a mail says the same as text and as HTML, where nothing becomes markup (threat-stored-xss)', () => {
  expect(mail.text).toBe(
    [
      'Hello Ben!',
      'Text & more.',
      '123456',
      'First\nOf <b>it</b>\nhttps://tara.example/a?b=1&c=2',
      'Second\nhttps://tara.example/d',
      'Open:\nhttps://tara.example/open',
      'Because.',
      'Settings: https://tara.example/settings',
      'Tara\n',
    ].join('\n\n'),
  );
  for (const part of ['Hello Ben!', 'Text &amp; more.', '123456', 'First', 'Second', 'Open', 'Because.'])
    expect(mail.html).toContain(part);
  expect(mail.html).toContain('Of &lt;b&gt;it&lt;/b&gt;');
  expect(mail.html).toContain('<title>Two &lt;things&gt;</title>');
  const addresses = [...mail.html.matchAll(/href="([^"]*)"/g)].map(([, address]) => address);
  expect(addresses).toEqual([
    'https://tara.example/a?b=1&amp;c=2',
    ...['d', 'open', 'settings'].map((path) => `https://tara.example/${path}`),
  ]);
});

test('a mail has colours for dark mode, of every class that it uses, and fetches nothing', () => {
  expect(mail.html).toContain('<meta name="color-scheme" content="light dark">');
  const [, dark = ''] = /prefers-color-scheme:dark\)\{(.*)\}<\/style>/.exec(mail.html) ?? [];
  const classes = new Set([...mail.html.matchAll(/class="(\w+)"/g)].map(([, name = '']) => name));
  expect(classes.size).toBeGreaterThan(4);
  for (const name of classes) expect(dark).toContain(`.${name}{`);
  expect(mail.html).not.toMatch(/<img|url\(|@import|src=/);
});

test('a mail with one link has its small lines in order', () => {
  const { text } = composeMail('a@example.com', '', 'https://tara.example/x', {
    ...{ subject: 'Hi', why: 'Why.', button: 'Go', lifetime: 'Once.', otherwise: 'Else.' },
  });
  expect(text).toBe('Hello!\n\nWhy.\n\nGo:\nhttps://tara.example/x\n\nOnce.\nElse.\n\nTara\n');
});
