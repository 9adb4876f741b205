import type { Call } from '@tara/contract/calls';
import type { ProblemReply } from '@tara/contract/problems';
import { callUrl } from '@tara/contract/url';
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify';
import type { z } from 'zod';
import type { Disk } from '../platform/disk.ts';
import { createHttpServer } from '../platform/http/server.ts';
import type { ResolveViewer } from '../platform/http/viewer.ts';
import type { Platform } from '../platform/platform.ts';
import { type Member, resolveMember } from './features/members.ts';

interface CallArgs<C extends Call> {
  params?: z.input<C['params']>;
  query?: z.input<C['query']>;
  /** Unknown on purpose: tests send what the contract refuses. */
  body?: unknown;
}

/** What a call answered: `reply` on success, `problem` else. */
export interface Answered<C extends Call> {
  status: number;
  headers: Record<string, string | string[] | number | undefined>;
  /** Throws when the call failed. */
  readonly reply: z.output<C['reply']>;
  /** Throws when the call succeeded. */
  readonly problem: ProblemReply;
}

export interface TestServer {
  app: FastifyInstance;
  /** Makes a call as a member (null: signed out) through the whole HTTP server. */
  call<C extends Call>(
    who: Pick<Member, 'secret'> | null,
    call: C,
    parts?: CallArgs<C>,
  ): Promise<Answered<C>>;
  /** A plain request as a member. */
  request(who: Pick<Member, 'secret'> | null, options: InjectOptions): Promise<LightMyRequestResponse>;
  close(): Promise<void>;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/**
 * The real HTTP server with the routes that `routes` binds; the caller is a `Member` of `insertMember`.
 * Nothing listens: requests are injected.
 */
export async function testServer(
  platform: Platform,
  routes: (app: FastifyInstance) => unknown,
  resolveViewer: ResolveViewer = resolveMember(platform.database),
  disk?: Pick<Disk, 'isFull'>,
): Promise<TestServer> {
  const app = await createHttpServer({ config: platform.config, log: platform.log, resolveViewer, disk });
  await routes(app);
  await app.ready();
  const request: TestServer['request'] = (who, options) =>
    app.inject({
      ...options,
      headers: { ...options.headers, ...(who ? { 'x-appwrite-session': who.secret } : {}) },
    });
  return {
    app,
    request,
    call: async (who, call, parts = {}) => {
      const response = await request(who, {
        method: call.method,
        url: callUrl(call, parts),
        ...(isRecord(parts.body) || Array.isArray(parts.body) ? { payload: parts.body } : {}),
      });
      const failed = response.statusCode >= 400;
      return {
        status: response.statusCode,
        headers: response.headers,
        get reply() {
          if (failed) throw new Error(`${call.path} answered ${response.statusCode}: ${response.body}`);
          return response.body === '' ? undefined : response.json();
        },
        get problem() {
          if (!failed) throw new Error(`${call.path} succeeded: ${response.body}`);
          return response.json<ProblemReply>();
        },
      };
    },
    close: () => app.close(),
  };
}
