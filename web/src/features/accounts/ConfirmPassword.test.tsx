import { QueryClientProvider } from '@tanstack/react-query';
import type { SessionContext } from '@tara/contract/accounts';
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { passwordPrompt, promptPassword } from '../../lib/password-prompt.ts';
import { queryClient } from '../../lib/queries.ts';
import { problem, stubServer } from '../../lib/testing/stub-server.ts';
import { ConfirmPassword } from './ConfirmPassword.tsx';
import { sessionQuery } from './session.ts';

const line = 'POST /api/account/confirmPassword';
let server: Awaited<ReturnType<typeof stubServer>>;
let confirmed: Promise<boolean>;

beforeAll(async () => {
  server = await stubServer();
  server.visit();
});
afterAll(() => server.close());
beforeEach(async () => {
  // Only what the dialog reads.
  const session = { account: { id: 'ana', email: 'ana@example.com' } } as SessionContext;
  queryClient.setQueryData(sessionQuery.queryKey, session);
  render(
    <QueryClientProvider client={queryClient}>
      <ConfirmPassword />
    </QueryClientProvider>,
  );
  act(() => {
    confirmed = promptPassword();
  });
  await screen.findByRole('dialog', { name: 'Confirm your password' });
});
afterEach(() => {
  act(() => passwordPrompt.get()?.answer(false));
  cleanup();
  server.reset();
});

const field = () => screen.getByLabelText('Password');
const enter = (password: string) => {
  fireEvent.change(field(), { target: { value: password } });
  fireEvent.click(screen.getByRole('button', { name: 'Confirm' }));
};

test('the right password answers the prompt and closes it', async () => {
  server.answer(line, 200, { status: 'ok' });
  enter('right');
  expect(await confirmed).toBe(true);
  expect(server.asked).toEqual([{ line, body: { password: 'right' } }]);
});

test.each([
  ['a wrong password', 400, 'user_password_wrong', 'This is not your password.'],
  ['too many tries', 429, 'general_rate_limit_exceeded', 'Title of general_rate_limit_exceeded'],
])('%s is said at the field, and the prompt stays', async (_name, code, type, text) => {
  const { status, body } = problem(code, type);
  server.answer(line, status, body);
  enter('guess');
  expect((await screen.findByRole('alert')).textContent).toBe(text);
  expect(field().getAttribute('aria-invalid')).toBe('true');
  expect(passwordPrompt.get()).not.toBeNull();
});

test('nothing is sent without a password', async () => {
  enter('');
  expect((await screen.findByRole('alert')).textContent).toBe('Enter your password.');
  expect(server.asked).toEqual([]);
});

test('Escape cancels', async () => {
  fireEvent.keyDown(field(), { key: 'Escape' });
  await waitFor(async () => expect(await confirmed).toBe(false));
});
