import type { SessionContext } from '@tara/contract/accounts/accounts';
import { act, cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { prompt, usePrompt } from '../../lib/call.ts';
import { queryClient } from '../../lib/queries.ts';
import { renderScreen } from '../../testing/screen.tsx';
import { problem, stubServer } from '../../testing/stub-server.ts';
import { ConfirmPassword } from './Prompts.tsx';
import { sessionQuery } from './session.ts';

const line = 'POST /api/account/confirmPassword';
const server = stubServer();
let confirmed: Promise<boolean>;

beforeEach(async () => {
  // Only what the dialog reads.
  const session = { account: { id: 'ana', email: 'ana@example.com' } } as SessionContext;
  queryClient.setQueryData(sessionQuery.queryKey, session);
  await renderScreen(<ConfirmPassword />);
  act(() => {
    confirmed = prompt('password');
  });
  await screen.findByRole('dialog', { name: 'Confirm your password' });
});
afterEach(() => {
  act(() => usePrompt.getState().answer(false));
  cleanup();
});

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

test('the right password answers the prompt and closes it', async () => {
  server.answer(line, 200, { status: 'ok' });
  await enter('right');
  expect(await confirmed).toBe(true);
  expect(server.requests).toEqual([{ line, body: { password: 'right' } }]);
});

test.each([
  ['a wrong password', 400, 'user_password_wrong', 'Title of user_password_wrong'],
  ['too many tries', 429, 'general_rate_limit_exceeded', 'Title of general_rate_limit_exceeded'],
])('%s is shown at the field, and the prompt stays', async (_name, code, type, text) => {
  const { status, body } = problem(code, type);
  server.answer(line, status, body);
  await enter('guess');
  await findError(text);
  expect(field().getAttribute('aria-invalid')).toBe('true');
  expect(usePrompt.getState().asks).toBe('password');
});

test('nothing is sent without a password', async () => {
  await enter('');
  await findError('Enter your password.');
  expect(server.requests).toEqual([]);
});

test('Escape cancels', async () => {
  await userEvent.type(field(), '{Escape}');
  await waitFor(async () => expect(await confirmed).toBe(false));
});
