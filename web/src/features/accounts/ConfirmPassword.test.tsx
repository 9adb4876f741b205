import type { SessionContext } from '@tara/contract/accounts/accounts';
import { act, cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test } from 'vitest';
import { prompt, usePrompt } from '../../lib/call.ts';
import { queryClient } from '../../lib/queries.ts';
import { renderScreen } from '../../testing/screen.tsx';
import { problem, stubServer } from '../../testing/stub-server.ts';
import { ConfirmPassword } from './Prompts.tsx';
import { sessionQuery } from './session.ts';

const line = 'POST /api/account/confirmPassword';
const settingsLine = 'GET /api/account/settings';
const server = stubServer();
let confirmed: Promise<boolean>;

const askForPassword = async () => {
  // Only what the dialog reads.
  const session = { account: { id: 'ana', email: 'ana@example.com' } } as SessionContext;
  queryClient.setQueryData(sessionQuery.queryKey, session);
  await renderScreen(<ConfirmPassword />);
  act(() => {
    confirmed = prompt('password');
  });
};
const openPrompt = async (title: string) => {
  await askForPassword();
  await screen.findByRole('dialog', { name: title });
};
afterEach(() => {
  queryClient.clear();
  act(() => usePrompt.getState().answer(false));
  cleanup();
});

const sent = () => server.requests.filter((request) => request.line === line);
const field = () => screen.getByLabelText('Password');
const enter = async (password: string) => {
  if (password !== '') await userEvent.type(field(), password);
  await userEvent.click(screen.getByRole('button', { name: 'Confirm' }));
};
const findError = (description: string) =>
  waitFor(
    () =>
      screen.getByLabelText('Password', { selector: 'input:not([hidden])[aria-invalid]' }) &&
      screen.getByText(description),
  );

const openWithPassword = () => {
  server.answer(settingsLine, 200, { passwordUpdatedAt: '2026-01-02T03:04:05.000Z' });
  return openPrompt('Confirm your password');
};

test('the right password answers the prompt and closes it', async () => {
  await openWithPassword();
  server.answer(line, 200, { status: 'ok' });
  await enter('right');
  expect(await confirmed).toBe(true);
  expect(sent()).toEqual([{ line, body: { password: 'right' } }]);
});

test.each([
  ['a wrong password', 400, 'user_password_wrong', 'Title of user_password_wrong'],
  ['too many tries', 429, 'general_rate_limit_exceeded', 'Title of general_rate_limit_exceeded'],
])('%s is shown at the field, and the prompt stays', async (_name, code, type, text) => {
  await openWithPassword();
  const { status, body } = problem(code, type);
  server.answer(line, status, body);
  await enter('guess');
  await findError(text);
  expect(field().getAttribute('aria-invalid')).toBe('true');
  expect(usePrompt.getState().asks).toBe('password');
});

test('nothing is sent without a password', async () => {
  await openWithPassword();
  await enter('');
  await findError('Enter your password.');
  expect(sent()).toEqual([]);
});

test('who has no password is led to where it is set, and the prompt is cancelled', async () => {
  server.answer(settingsLine, 200, { passwordUpdatedAt: null });
  await openPrompt('Set a password first');
  expect(screen.queryByLabelText('Password')).toBeNull();
  const settings = screen.getByRole('link', { name: 'Open settings' });
  expect(settings.getAttribute('href')).toBe('/settings');
  await userEvent.click(settings);
  expect(await confirmed).toBe(false);
});

test('no dialog opens before it is known which one, and then the right one', async () => {
  server.answer(settingsLine, 200, { passwordUpdatedAt: null });
  server.hold([settingsLine]);
  await askForPassword();
  await waitFor(() => expect(server.requests).toMatchObject([{ line: settingsLine }]));
  expect(screen.queryByRole('dialog')).toBeNull();
  server.release();
  await screen.findByRole('dialog', { name: 'Set a password first' });
});

test('who may have a password, which cannot be read, is asked for it', async () => {
  const { status, body } = problem(503, 'general_unavailable');
  server.answer(settingsLine, status, body);
  await openPrompt('Confirm your password');
  expect(server.requests).toHaveLength(1);
});

test('Escape cancels', async () => {
  await openWithPassword();
  await userEvent.type(field(), '{Escape}');
  await waitFor(async () => expect(await confirmed).toBe(false));
});
