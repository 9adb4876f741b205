import { timer } from '@tara/contract/limits';
import { act, cleanup, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { renderScreen } from '../../testing/screen.tsx';
import { problem, stubServer } from '../../testing/stub-server.ts';
import { useToasts } from '../../ui/feedback.ts';
import { ResendBox, ResendButton } from './AccountFields.tsx';
import { signUp } from './SignUpScreen.tsx';

const RESEND = 'POST /api/account/resendVerification';
const server = stubServer();

beforeEach(() => {
  useToasts.setState({ queue: [] });
});
afterEach(() => {
  vi.useRealTimers();
  cleanup();
});

const refuse = (line: string, code: number, type: string) => {
  const { status, body } = problem(code, type);
  server.answer(line, status, body);
};
const show = (initial: number, username?: string) =>
  renderScreen(<ResendBox initial={initial} username={username} />);
const press = async () => userEvent.click(await screen.findByRole('button', { name: 'Resend email' }));
const resent = { title: 'Request sent', text: 'Please check your email to confirm your account' };
const resendFailed = { title: 'Something went wrong', text: 'Please try again later' };
const shown = () => useToasts.getState().queue.map(({ title, text }) => ({ title, text }));

test('counts down before the first time', async () => {
  await show(timer.confirmingInitialSeconds, 'ana');
  const button = screen.getByRole('button', { name: `Resend email in ${timer.confirmingInitialSeconds} s` });
  expect(button.getAttribute('aria-disabled')).toBe('true');
  await userEvent.click(button);
  expect(server.requests).toEqual([]);
});

test('asks for the username when there is none (§5-resend, §8-email-resend-username)', async () => {
  await show(0);
  await press();
  const field = screen.getByRole('textbox', {
    name: 'Username',
    description: 'Please enter your username - this is important so that friends can easily find you',
  });
  expect(document.activeElement).toBe(field);
  expect(shown()).toEqual([]);
  expect(server.requests).toEqual([]);
});

test('shows that the email was sent (§8-email-resend), and counts down from 60 again (§8-email-resend-timer, §9-resend-countdown)', async () => {
  server.answer(RESEND, 200, { status: 'ok' });
  await show(0);
  await userEvent.type(screen.getByLabelText('Username'), 'ana');
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] });
  await press();
  await screen.findByRole('button', { name: 'Resend email in 60 s' });
  act(() => void vi.advanceTimersByTime(59_999));
  screen.getByRole('button', { name: 'Resend email in 1 s' });
  act(() => void vi.advanceTimersByTime(1));
  screen.getByRole('button', { name: 'Resend email' });
  expect(server.requests).toEqual([{ line: RESEND, body: { username: 'ana' } }]);
  expect(shown()).toEqual([resent]);
});

test('shows a failure, and can be retried at once (§8-email-resend-failed)', async () => {
  refuse(RESEND, 500, 'general_unknown');
  await show(0, 'ana');
  await press();
  await expect.poll(shown).toEqual([resendFailed]);
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
    expect(shown()).toEqual([resent]);
  });

  test('shows a failure', async () => {
    refuse(SEND, 500, 'general_unknown');
    await renderScreen(<ResendButton initial={0} username="ana" />);
    await press();
    await expect.poll(shown).toEqual([resendFailed]);
  });
});

describe('signing up', () => {
  const form = {
    ...{ name: 'Ana Reyes', username: 'ana r', email: 'ana@example.com', password: 'long enough' },
    ...{ isAdult: true, acceptsTerms: true },
  };
  beforeEach(() => {
    server.answer('POST /api/account/signUp', 200, { id: 'ana' });
    server.answer('POST /v1/account/sessions/email', 201, {});
    server.answer('POST /v1/account/verification', 201, {});
  });

  test('creates the account, signs in, and has the link to /confirming mailed with the username (§4-sign-up, §7-sign-up)', async () => {
    await signUp(form);
    expect(server.requests).toEqual([
      { line: 'POST /api/account/signUp', body: form },
      { line: 'POST /v1/account/sessions/email', body: { email: form.email, password: form.password } },
      { line: 'POST /v1/account/verification', body: { url: `${server.origin}/confirming?username=ana+r` } },
    ]);
  });

  test('an account that cannot be created fails with the notice of the server', async () => {
    refuse('POST /api/account/signUp', 409, 'user_already_exists');
    await expect(signUp(form)).rejects.toMatchObject({
      step: 'create',
      notice: { title: 'Title of user_already_exists' },
    });
    expect(server.requests).toHaveLength(1);
  });

  test('a server error is reported as a failed creation (§8-account-failed)', async () => {
    refuse('POST /api/account/signUp', 500, 'general_unknown');
    await expect(signUp(form)).rejects.toMatchObject({
      step: 'create',
      notice: { title: 'Failed to create account', text: 'please try again later' },
    });
  });

  test('an email that cannot be sent leaves the account signed in', async () => {
    refuse('POST /v1/account/verification', 503, 'general_unavailable');
    await expect(signUp(form)).rejects.toMatchObject({ step: 'mail' });
    expect(server.requests).toHaveLength(3);
  });
});
