import { type Call, Done, readReply, type Schema } from '@tara/contract/calls';
import { payloadFor } from '@tara/contract/wire/payloads';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { FairQueue } from '../fair-queue.ts';
import { Problem } from '../problem.ts';
import { classifyWork, runAs } from '../work.ts';
import { validate } from './validation.ts';
import {
  memberRefusal,
  requireAdminLabel,
  requireNotSuspended,
  requireRecentPassword,
  requireRecentSecondFactor,
  requireSecondFactor,
  type Viewer,
} from './viewer.ts';

export interface Input<C extends Call> {
  /** The caller; null only for a guest at a call that anyone may make. */
  viewer: 'anyone' extends C['access'] ? Viewer | null : Viewer;
  params: z.output<C['params']>;
  query: z.output<C['query']>;
  body: z.output<C['body']>;
  request: FastifyRequest;
  reply: FastifyReply;
}

export type Answer<C extends Call> = z.input<C['reply']>;
/** For a write whose reply is `Done` nothing else is sent, whatever it resolves with. */
type Handler<C extends Call> = (
  input: Input<C>,
) => Promise<Answer<C> | FastifyReply | (Done extends Answer<C> ? unknown : never)>;

export interface ServeOptions {
  /** Calls a minute that one account may make; the guests of one address make five times as many. */
  perMinute?: number;
  /** Bytes; the default is 256 KiB. */
  bodyLimit?: number;
  /** Serve the call at this path instead, for the wire's second family of paths. */
  path?: string;
  /** Pages of any site may make the call: it must read no cookie, and change at most what a token in its address allows. */
  fromAnywhere?: true;
  /** It answers a picture that pages show by its address: one of a bucket, whose address may carry a token, or one that anybody sees. */
  picture?: PictureKind;
}

export type PictureKind = 'stored' | 'public';

declare module 'fastify' {
  interface FastifyInstance {
    /** In which calls wait for their caller's turn; null without limits. */
    callQueue: FairQueue | null;
  }
  interface FastifyRequest {
    viewer: Viewer | null;
    /** Finds the viewer again, whom another node may have changed a moment ago; null of guests and of addresses of files. */
    readViewerAnew: (() => Promise<Viewer | null>) | null;
    /** The token in a file's address said who the viewer is. */
    hasFileToken: boolean;
  }
  interface FastifyContextConfig {
    call?: Call;
    /** Requests a minute to this route by one account; the guests of one address make five times as many. */
    perMinute?: number;
    fromAnywhere?: true;
    picture?: PictureKind;
  }
}

/** Refuses who may not make the call, before anything of the request is looked at. */
export function admit(
  call: Pick<Call, 'access' | 'recentPassword' | 'recentSecondFactor' | 'whileSuspended'>,
  viewer: Viewer | null,
): void {
  if (call.access === 'anyone') return;
  if (viewer === null) throw new Problem('general_unauthorized_scope');
  const refusal = call.access === 'account' ? null : memberRefusal(viewer);
  if (refusal !== null) throw new Problem(refusal);
  if (!call.whileSuspended) requireNotSuspended(viewer);
  if (call.access === 'adminLabel' || call.access === 'admin') requireAdminLabel(viewer);
  if (call.recentPassword === 'always') requireRecentPassword(viewer);
  if (call.recentSecondFactor) requireRecentSecondFactor(viewer);
  else if (call.access === 'admin') requireSecondFactor(viewer);
}

/** The same of a request, whose viewer may have done on another node what they lacked. */
async function admitRequest(call: Call, request: FastifyRequest): Promise<void> {
  try {
    admit(call, request.viewer);
  } catch (error) {
    if (request.readViewerAnew === null) throw error;
    request.viewer = await request.readViewerAnew();
    admit(call, request.viewer);
  }
}

const done: Done = { status: 'ok' };

/** Replies are checked against the contract wherever tests run, so that a presenter cannot drift from it. */
const checkReplies = process.env.NODE_ENV === 'test';

/** Binds one call of the contract to the function that answers it. */
export function serve<C extends Call>(
  app: FastifyInstance,
  call: C,
  handler: Handler<C>,
  options: ServeOptions = {},
): void {
  app.route({
    config: {
      call,
      perMinute: options.perMinute,
      fromAnywhere: options.fromAnywhere,
      picture: options.picture,
    },
    bodyLimit: options.bodyLimit,
    preParsing: async (request) => admitRequest(call, request),
    method: call.method,
    url: options.path ?? call.path,
    handler: async (request, reply) => {
      const sent = accepts(call.body) ? (request.body ?? {}) : undefined;
      const input: Input<C> = {
        // `admit` refused guests everywhere else.
        viewer: request.viewer as Input<C>['viewer'],
        params: readParams(call, hasKeys(request.params) ? request.params : undefined),
        query: validate<C['query']>(
          call.query,
          'query',
          accepts(call.query) ? (request.query ?? {}) : undefined,
        ),
        body: validate<C['body']>(payloadFor(call, sent), 'body', sent),
        request,
        reply,
      };
      // Of a document, its collection is known now.
      const work = classifyWork(call, readCollection(input.params));
      const run = () => runAs(work, () => handler(input));
      const { callQueue } = request.server;
      const result = await (callQueue === null
        ? run()
        : // Nobody reads the answer to a caller who left while they waited.
          callQueue.run({ accountId: request.viewer?.accountId, ip: request.ip }, async () =>
            reply.raw.destroyed ? reply : run(),
          ));
      if (reply.sent || result === reply) return reply;
      const answer = call.reply === Done ? done : result;
      if (checkReplies) readReply(call, answer);
      reply.code(call.status);
      if (call.status === 204) return reply.send();
      return reply.type('application/json; charset=utf-8').send(JSON.stringify(answer));
    },
  });
}

/** Reads the path's parameters. An id of an impossible form is not found, as any unknown id, where a call can say so. */
function readParams<C extends Call>(call: C, value: unknown): z.output<C['params']> {
  try {
    return validate<C['params']>(call.params, 'params', value);
  } catch (error) {
    const notFound = call.method === 'GET' && call.errors.find((type) => type.endsWith('_not_found'));
    throw notFound ? new Problem(notFound) : error;
  }
}

/** The collection that a call's path names. */
function readCollection(params: unknown): string | undefined {
  const { collectionId } = (params ?? {}) as { collectionId?: string };
  return collectionId;
}

const hasKeys = (value: unknown) =>
  typeof value === 'object' && value !== null && Object.keys(value).length > 0;
const accepts = (schema: Schema) => schema._zod.def.type !== 'undefined';
