import { setTimeout } from 'node:timers/promises';
import { account } from '@tara/contract/accounts/accounts';
import { type Call, readReply } from '@tara/contract/calls';
import { type BucketId, files } from '@tara/contract/files';
import type { ProblemReply, ProblemType } from '@tara/contract/problems';
import { callUrl } from '@tara/contract/url';
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify';
import type { z } from 'zod';
import { demoPicture } from './pictures.ts';

interface SentArgs {
  params?: Record<string, string>;
  body?: object;
}

interface CallArgs<C extends Call> extends SentArgs {
  body?: z.input<C['body']> & object;
}

/** A member of the demo world who calls the server of this process over its own routes, as any client does. */
export interface Client {
  /** @throws Error when the call is refused */
  call<C extends Call>(call: C, args?: CallArgs<C>): Promise<z.output<C['reply']>>;
  /** The same for a step that may be done already: a refusal of the type `unless` returns null. */
  attempt<C extends Call>(
    call: C,
    args: CallArgs<C>,
    unless: ProblemType,
  ): Promise<z.output<C['reply']> | null>;
  /** Uploads one of the pictures of this folder as a JPEG (§5); returns its id. Again changes nothing. */
  upload(bucket: BucketId, picture: string): Promise<string>;
}

/** For documentation (RFC 5737): sessions and limits of the script stay apart from those of this machine. */
export const remoteAddress = '192.0.2.1';

/** A server that starts on a busy machine refuses calls for a moment; so often it is tried again, once a second. */
const retries = 60;

async function inject(app: FastifyInstance, options: InjectOptions): Promise<LightMyRequestResponse> {
  for (let left = retries; ; left -= 1) {
    const response = await app.inject({ ...options, remoteAddress });
    if (response.statusCode !== 503 || left === 0) return response;
    await setTimeout(1000);
  }
}

/** Sends a form of a page, as a browser does. @throws Error when it is refused */
export async function submitForm(
  app: FastifyInstance,
  url: string,
  fields: Record<string, string>,
): Promise<void> {
  const response = await inject(app, {
    method: 'POST',
    url,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams(fields).toString(),
  });
  if (response.statusCode >= 400) throw new Error(`POST ${url} answered ${response.statusCode}.`);
}

/** A client with the session of `secret`; nobody is signed in without. */
export function openClient(app: FastifyInstance, secret?: string): Client {
  const send = <C extends Call>({ method, path }: C, { params, body }: SentArgs) =>
    inject(app, {
      method,
      url: callUrl({ path }, { params }),
      headers: secret === undefined ? {} : { 'x-appwrite-session': secret },
      ...(body === undefined ? {} : { payload: body }),
    });
  const readResponse = <C extends Call>(call: C, { statusCode, body }: LightMyRequestResponse) => {
    if (statusCode >= 400) throw new Error(`${call.method} ${call.path} answered ${statusCode}: ${body}`);
    return readReply(call, body === '' ? undefined : JSON.parse(body));
  };
  const attempt: Client['attempt'] = async (call, args, unless) => {
    const response = await send(call, args);
    const refused = response.statusCode >= 400 && response.json<ProblemReply>().type === unless;
    return refused ? null : readResponse(call, response);
  };
  return {
    call: async (call, args = {}) => readResponse(call, await send(call, args)),
    attempt,
    async upload(bucketId, picture) {
      const id = `${bucketId}-${picture}`;
      const jpeg = await (await demoPicture(picture)).jpeg({ quality: 90 }).toBuffer();
      const body = new FormData();
      body.append('fileId', id);
      body.append('file', new Blob([new Uint8Array(jpeg)], { type: 'image/jpeg' }), `${picture}.jpg`);
      const response = await send(files.create, { params: { bucketId }, body });
      if (response.statusCode !== 409) readResponse(files.create, response);
      return id;
    },
  };
}

/** A client with a new session. */
export async function signIn(app: FastifyInstance, email: string, password: string): Promise<Client> {
  const session = await openClient(app).call(account.createEmailSession, { body: { email, password } });
  return openClient(app, session.secret);
}

/** Waits for what a job or another party does: asks until there is an answer. @throws Error after a minute */
export async function until<T>(
  what: string,
  ask: () => Promise<T | null | undefined> | T | null | undefined,
) {
  for (let left = 600; left > 0; left -= 1) {
    const answer = await ask();
    if (answer !== null && answer !== undefined) return answer;
    await setTimeout(100);
  }
  throw new Error(`The demo world timed out waiting for ${what}.`);
}
