import { expect, it } from 'vitest';
import { openLog } from './log.ts';

function logged(...entry: [object, string]): string {
  const lines: string[] = [];
  const log = openLog({ level: 'info', destination: { write: (line) => void lines.push(line) } });
  log.info(...entry);
  return lines.join('');
}

it('hides what is secret or personal, at any usual depth (threat-leaked-secrets)', () => {
  const text = logged(
    {
      password: 'hidden-1',
      body: {
        email: 'hidden-2@example.com',
        card: { number: 'hidden-3' },
        data: { phoneNumber: 'hidden-4' },
      },
      headers: { cookie: 'hidden-5', authorization: 'hidden-6', 'set-cookie': 'hidden-7' },
      job: { payload: { mail: { to: 'hidden-8' } } },
      name: 'shown',
    },
    'sign-in',
  );
  expect(text).not.toContain('hidden-');
  expect(text).toContain('shown');
});

it('keeps the request id and drops the query of an address (threat-leaked-secrets)', () => {
  const text = logged({ req: { id: 'r1', method: 'GET', url: '/verify?secret=hidden' } }, 'request');
  expect(JSON.parse(text)).toMatchObject({ msg: 'request', req: { id: 'r1', url: '/verify?…' } });
});

it('keeps the stack of an error', () => {
  expect(logged({ err: new Error('broken') }, 'failed')).toContain('log.test.ts');
});
