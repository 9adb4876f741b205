import { timer } from '@tara/contract/limits';
import { notices } from '@tara/contract/notices';
import { cleanup, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { noticeSentence } from '../../lib/failure.ts';
import { renderScreen } from '../../testing/render.tsx';
import { problem, stubServer } from '../../testing/stub-server.ts';
import { useToasts } from '../../ui/feedback.ts';
import { ResendBox, ResendButton } from './SignUpScreen.tsx';

const RESEND = 'POST /api/account/resendVerification';
let server: Awaited<ReturnType<typeof stubServer>>;

beforeAll(async () => {
  server = await stubServer();
  server.visit();
});
beforeEach(() => {
  server.reset();
  useToasts.setState({ queue: [] });
});
afterEach(cleanup);
afterAll(() => server.close());

const show = (initial: number, username?: string) =>
  renderScreen(<ResendBox initial={initial} username={username} />);
const press = async () => userEvent.click(await screen.findByRole('button', { name: 'Resend email' }));
const shown = () => useToasts.getState().queue.map(({ title, text }) => ({ title, text }));

test('counts down before the first time', async () => {
  await show(timer.confirmingInitialSeconds, 'ana');
  const button = screen.getByRole('button', { name: `Resend email in ${timer.confirmingInitialSeconds} s` });
  expect(button.getAttribute('aria-disabled')).toBe('true');
  await userEvent.click(button);
  expect(server.requests).toEqual([]);
});

test('asks for the username when there is none (§5-resend, §8-email-resend)', async () => {
  await show(0);
  await press();
  const field = screen.getByRole('textbox', {
    name: 'Username',
    description: noticeSentence(notices.usernameMissing),
  });
  expect(document.activeElement).toBe(field);
  expect(shown()).toEqual([]);
  expect(server.requests).toEqual([]);
});

test('shows that the email was sent, and counts down from 60 again (§8-email-resend)', async () => {
  server.answer(RESEND, 200, { status: 'ok' });
  await show(0);
  await userEvent.type(screen.getByLabelText('Username'), 'ana');
  await press();
  await screen.findByRole('button', { name: /^Resend email in (60|59) s$/ });
  expect(server.requests).toEqual([{ line: RESEND, body: { username: 'ana' } }]);
  expect(shown()).toEqual([notices.emailResent]);
});

test('shows a failure, and can be retried at once (§8-email-resend)', async () => {
  const { status, body } = problem(500, 'general_unknown');
  server.answer(RESEND, status, body);
  await show(0, 'ana');
  await press();
  await expect.poll(shown).toEqual([notices.emailResendFailed]);
  await screen.findByRole('button', { name: 'Resend email' });
});

describe('of a signed-in member', () => {
  const SEND = 'POST /v1/account/verification';

  test('mails the link to the account itself, whatever others with the same username exist', async () => {
    server.answer(SEND, 201, {});
    await renderScreen(<ResendButton initial={0} username="ana r" />);
    expect(screen.queryByRole('textbox')).toBeNull();
    await press();
    await screen.findByRole('button', { name: /^Resend email in (60|59) s$/ });
    expect(server.requests).toEqual([
      { line: SEND, body: { url: `${server.origin}/confirming?username=ana+r` } },
    ]);
    expect(shown()).toEqual([notices.emailResent]);
  });

  test('shows a failure', async () => {
    const { status, body } = problem(500, 'general_unknown');
    server.answer(SEND, status, body);
    await renderScreen(<ResendButton initial={0} username="ana" />);
    await press();
    await expect.poll(shown).toEqual([notices.emailResendFailed]);
  });
});
