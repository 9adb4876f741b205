import { notices } from '@tara/contract/notices';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { problem, stubServer } from '../../testing/stub-server.ts';
import { signUp } from './SignUpScreen.tsx';

const form = {
  ...{ name: 'Ana Reyes', username: 'ana r', email: 'ana@example.com', password: 'long enough' },
  ...{ isAdult: true, acceptsTerms: true },
};
let server: Awaited<ReturnType<typeof stubServer>>;

beforeAll(async () => {
  server = await stubServer();
  server.visit();
});
beforeEach(() => {
  server.reset();
  server.answer('POST /api/account/signUp', 200, { id: 'ana' });
  server.answer('POST /v1/account/sessions/email', 201, {});
  server.answer('POST /v1/account/verification', 201, {});
});
afterAll(() => server.close());

const refuse = (line: string, code: number, type: string) => {
  const { status, body } = problem(code, type);
  server.answer(line, status, body);
};

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

test('a server error is reported as a failed creation', async () => {
  refuse('POST /api/account/signUp', 500, 'general_unknown');
  await expect(signUp(form)).rejects.toMatchObject({ step: 'create', notice: notices.accountCreationFailed });
});

test('an email that cannot be sent leaves the account signed in', async () => {
  refuse('POST /v1/account/verification', 503, 'general_unavailable');
  await expect(signUp(form)).rejects.toMatchObject({ step: 'mail', notice: notices.signUpFailed });
});
