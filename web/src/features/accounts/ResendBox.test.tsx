import { QueryClientProvider } from '@tanstack/react-query';
import { timer } from '@tara/contract/limits';
import { notices } from '@tara/contract/notices';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { queryClient } from '../../lib/queries.ts';
import { problem, stubServer } from '../../lib/testing/stub-server.ts';
import { toasts } from '../../ui/toast.ts';
import { ResendBox } from './ResendBox.tsx';

const RESEND = 'POST /api/account/resendVerification';
let server: Awaited<ReturnType<typeof stubServer>>;

beforeAll(async () => {
  server = await stubServer();
  server.visit();
});
beforeEach(() => {
  server.reset();
  toasts.set([]);
});
afterEach(cleanup);
afterAll(() => server.close());

function show(initial: number, username?: string) {
  render(
    <QueryClientProvider client={queryClient}>
      <ResendBox initial={initial} username={username} />
    </QueryClientProvider>,
  );
}
const press = async () => fireEvent.click(await screen.findByRole('button', { name: 'Resend email' }));
const told = () => toasts.get().map(({ title, text }) => ({ title, text }));

test('counts down before the first time', async () => {
  show(timer.confirmingInitial, 'ana');
  const button = screen.getByRole('button', { name: `Resend email in ${timer.confirmingInitial} s` });
  expect(button.getAttribute('aria-disabled')).toBe('true');
  fireEvent.click(button);
  expect(server.asked).toEqual([]);
});

test('asks for the username when there is none', async () => {
  show(0);
  await press();
  expect(told()).toEqual([notices.usernameMissing]);
  expect(screen.getByRole('alert').textContent).toBe(notices.usernameMissing.title);
  expect(server.asked).toEqual([]);
});

test('says that the mail is sent, and counts from 60 again', async () => {
  server.answer(RESEND, 200, { status: 'ok' });
  show(0);
  fireEvent.change(screen.getByLabelText('Username'), { target: { value: 'ana' } });
  await press();
  await screen.findByRole('button', { name: /^Resend email in (60|59) s$/ });
  expect(server.asked).toEqual([{ line: RESEND, body: { username: 'ana' } }]);
  expect(told()).toEqual([notices.emailResent]);
});

test('says when it failed, and may be tried again at once', async () => {
  const { status, body } = problem(500, 'general_unknown');
  server.answer(RESEND, status, body);
  show(0, 'ana');
  await press();
  await expect.poll(told).toEqual([notices.emailResendFailed]);
  await screen.findByRole('button', { name: 'Resend email' });
});
