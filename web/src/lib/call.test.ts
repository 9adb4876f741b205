// @vitest-environment node
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { get, post } from '@tara/contract/calls';
import { callUrl } from '@tara/contract/url';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import * as z from 'zod';
import { call, isAbort, OfflineError, ProblemError, usePrompt } from './call.ts';

const reply = z.object({ seen: z.string() });
let server: Server;
let base: string;
let answer: { status: number; body: string };
let received: { method: string | undefined; url: string | undefined; type: string | undefined; body: string };

async function readBody(request: IncomingMessage): Promise<string> {
  const parts: string[] = [];
  for await (const part of request) parts.push(String(part));
  return parts.join('');
}

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const { method, url, headers } = request;
    received = { method, url, type: headers['content-type'], body: await readBody(request) };
    if (url?.startsWith('/never')) return;
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body);
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
beforeEach(() => {
  answer = { status: 200, body: '{"seen":"ok"}' };
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const withBase = <C extends { path: string }>(contractCall: C): C => ({
  ...contractCall,
  path: base + contractCall.path,
});

describe('call', () => {
  test('fills the path and writes the query, leaving out what is not given', () => {
    const address = callUrl(
      { path: '/by/:id/:list' },
      { params: { id: 'a/b', list: 'x' }, query: { cursor: undefined, search: 'beach & sun', pages: 2 } },
    );
    expect(address).toBe('/by/a%2Fb/x?search=beach+%26+sun&pages=2');
  });

  test('sends the body as JSON and answers the reply', async () => {
    const write = withBase(post('/write', { summary: '', body: z.object({ caption: z.string() }), reply }));
    expect(await call(write, { body: { caption: 'Tara!' } })).toEqual({ seen: 'ok' });
    expect(received).toMatchObject({ method: 'POST', type: 'application/json', body: '{"caption":"Tara!"}' });
  });

  test('a call without a body sends no content type', async () => {
    await call(withBase(get('/read', { summary: '', reply })));
    expect(received).toMatchObject({ method: 'GET', type: undefined, body: '' });
  });

  test('an empty answer is undefined', async () => {
    answer = { status: 204, body: '' };
    expect(await call(withBase(get('/gone', { summary: '', reply: z.undefined() })))).toBeUndefined();
  });

  test('an error reply becomes a ProblemError with its type, notice and fields', async () => {
    const problem = {
      message: 'Some of the values are not valid.',
      code: 400,
      type: 'general_argument_invalid',
      version: '1',
      title: 'Some of the values are not valid.',
      fields: { caption: 'Must be at most 5000 characters.' },
    };
    answer = { status: 400, body: JSON.stringify(problem) };
    const error = await call(withBase(get('/read', { summary: '', reply }))).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(ProblemError);
    expect(error).toMatchObject({
      type: 'general_argument_invalid',
      code: 400,
      fields: problem.fields,
      notice: { title: problem.title },
    });
  });

  test('a page of a proxy becomes a ProblemError with the generic notice', async () => {
    answer = { status: 502, body: '<h1>Bad gateway</h1>' };
    const error = await call(withBase(get('/read', { summary: '', reply }))).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toMatchObject({
      name: 'ProblemError',
      code: 502,
      notice: { title: 'Something went wrong' },
    });
  });

  test('no response is an OfflineError', async () => {
    const nowhere = { ...get('/', { summary: '', reply }), path: 'http://127.0.0.1:1/' };
    await expect(call(nowhere)).rejects.toBeInstanceOf(OfflineError);
  });

  test('an answer may take any time (§9-http-timeout)', async () => {
    const fetched = vi.spyOn(globalThis, 'fetch');
    onTestFinished(() => fetched.mockRestore());
    await call(withBase(get('/read', { summary: '', reply })));
    expect(fetched).toHaveBeenCalledWith(expect.anything(), expect.objectContaining({ signal: undefined }));
  });

  test('a cancelled call is neither', async () => {
    const cancel = new AbortController();
    const waiting = call(withBase(get('/never', { summary: '', reply })), { signal: cancel.signal }).catch(
      (thrown: unknown) => thrown,
    );
    cancel.abort();
    expect(isAbort(await waiting)).toBe(true);
  });
});

describe.each([
  ['password', 'user_recent_password_required'],
  ['code', 'recent_second_factor_required'],
] as const)('a call that needs a recent %s', (asks, type) => {
  const sensitive = () => call(withBase(post('/sensitive', { summary: '', reply })));
  const refusal = JSON.stringify({
    message: 'Please show it',
    code: 403,
    type,
    version: '1',
    title: 'Please show it',
  });
  const prompted = () =>
    new Promise<ReturnType<typeof usePrompt.getState>>((resolve) => {
      const look = () => {
        const prompt = usePrompt.getState();
        if (prompt.asks === asks) resolve(prompt);
      };
      const end = usePrompt.subscribe(look);
      onTestFinished(end);
      look();
    });

  test('asks once, however many calls wait, and repeats each of them', async () => {
    // Without a network, so that both are refused before the person answers.
    const fetching = vi.spyOn(globalThis, 'fetch');
    fetching.mockImplementation(async () => new Response(answer.body, { status: answer.status }));
    onTestFinished(() => fetching.mockRestore());
    answer = { status: 403, body: refusal };
    const waiting = Promise.all([sensitive(), sensitive()]);
    const prompt = await prompted();
    await setImmediate();
    answer = { status: 200, body: '{"seen":"after"}' };
    prompt.answer(true);
    expect(await waiting).toEqual([{ seen: 'after' }, { seen: 'after' }]);
    expect(usePrompt.getState().asks).toBeNull();
  });

  test('fails as it was refused when the person cancels', async () => {
    answer = { status: 403, body: refusal };
    const waiting = sensitive().catch((thrown: unknown) => thrown);
    (await prompted()).answer(false);
    expect(await waiting).toMatchObject({ type, code: 403 });
    expect(usePrompt.getState().asks).toBeNull();
  });
});
