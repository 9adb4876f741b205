import { account, accountAliases } from '@tara/contract/accounts/accounts';
import type { Call } from '@tara/contract/calls';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';
import { type AccountRow, findAccount } from '../features/accounts/index.ts';
import type { Database } from '../platform/database/connect.ts';
import { requestOrigin } from '../platform/http/origin.ts';
import { routePath } from '../platform/http/route-path.ts';
import { type Answer, type Input, serve } from '../platform/http/serve.ts';
import type { Viewer } from '../platform/http/viewer.ts';
import type { Platform } from '../platform/platform.ts';
import { Problem } from '../platform/problem.ts';

const appwriteHeaders = [
  'dev-key',
  'id',
  'jwt',
  'locale',
  'project',
  'response-format',
  'session',
  'timestamp',
];
const sdkHeaders = ['graphql', 'language', 'name', 'platform', 'profile', 'version'];
const requestHeaders = [
  ...['accept', 'content-type', 'content-range', 'range'],
  ...appwriteHeaders.map((name) => `x-appwrite-${name}`),
  'x-fallback-cookies',
  ...sdkHeaders.map((name) => `x-sdk-${name}`),
].join(', ');
const replyHeaders = 'X-Fallback-Cookies, Retry-After, Content-Range, ETag';

/** The request's origin if it is one of ALLOWED_ORIGINS: its pages may call, but cannot hold our cookie. */
export function foreignOrigin(request: FastifyRequest, config: Config): string | null {
  return requestOrigin(request, config) === 'allowed' ? (request.headers.origin ?? null) : null;
}

function allowOrigin(reply: FastifyReply, origin: string): void {
  reply.headers({
    'access-control-allow-origin': origin,
    'access-control-allow-credentials': 'true',
    'access-control-expose-headers': replyHeaders,
    // helmet's default keeps the answer to our own pages.
    'cross-origin-resource-policy': 'cross-origin',
    vary: 'Origin',
  });
}

/** Lets pages of ALLOWED_ORIGINS show a picture: `<img>` sends no origin by which the answer could be given to them alone. */
function shareWithPages(request: FastifyRequest, reply: FastifyReply, config: Config): void {
  const { picture } = request.routeOptions.config;
  if (picture === undefined || config.allowedOrigins.length === 0) return;
  // With our cookie the pages of our own site alone: a browser sends it with the pictures of no other.
  const isForAll = picture === 'public' || request.hasFileToken;
  reply.header('cross-origin-resource-policy', isForAll ? 'cross-origin' : 'same-site');
}

function namedProject(request: FastifyRequest): string | null {
  const header = request.headers['x-appwrite-project'];
  if (typeof header === 'string' && header !== '') return header;
  const query = request.query;
  const named = typeof query === 'object' && query !== null ? Reflect.get(query, 'project') : undefined;
  return typeof named === 'string' && named !== '' ? named : null;
}

/** @throws Problem `project_not_found` when the request names another project; ours need not be named. */
export function checkProject(request: FastifyRequest, config: Pick<Config, 'projectId'>): void {
  const project = namedProject(request);
  if (project !== null && project !== config.projectId) throw new Problem('project_not_found');
}

const isEmptyList = (value: unknown) => Array.isArray(value) && value.length === 0;

/** A body as it was meant: PHP writes an object without fields as `[]`. */
function readEmptyObjects(body: unknown): unknown {
  if (isEmptyList(body)) return {};
  if (typeof body !== 'object' || body === null) return body;
  const empty = ['prefs', 'data'].filter((name) => isEmptyList(Reflect.get(body, name)));
  return empty.length === 0 ? body : { ...body, ...Object.fromEntries(empty.map((name) => [name, {}])) };
}

/**
 * What holds for every call of the backend service: the project, and CORS for configured origins. Call it once,
 * before any route is bound.
 */
export function backendWire(app: FastifyInstance, { config }: Pick<Platform, 'config'>): void {
  app.addHook('onRequest', async (request, reply) => {
    if (!/^\/v1(\/|$)/.test(routePath(request))) return;
    const origin = foreignOrigin(request, config);
    if (origin !== null) allowOrigin(reply, origin);
    else shareWithPages(request, reply, config);
    // A socket gets the error as a frame, which its client understands.
    if (request.headers.upgrade === undefined) checkProject(request, config);
  });

  app.addHook('preValidation', (request, _reply, done) => {
    if (/^\/v1(\/|$)/.test(routePath(request))) request.body = readEmptyObjects(request.body);
    done();
  });

  app.options('/v1/*', async (request, reply) => {
    if (foreignOrigin(request, config) !== null) {
      reply.headers({
        'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
        'access-control-allow-headers': requestHeaders,
        'access-control-max-age': '600',
      });
    }
    return reply.code(204).send();
  });
}

/** The account of a viewer. @throws Problem `general_unauthorized_scope` when it does not exist any more. */
export async function readAccount(database: Database, { accountId }: Viewer): Promise<AccountRow> {
  const row = await findAccount(database, accountId);
  if (row === undefined) throw new Problem('general_unauthorized_scope');
  return row;
}

/** Binds a call of the account at each of its paths. */
export const bindAccount =
  (app: FastifyInstance) =>
  <C extends Call>(call: C, handler: (input: Input<C>) => Promise<Answer<C> | FastifyReply>): void => {
    serve(app, call, handler);
    for (const alias of accountAliases) {
      if (account[alias.call] === (call as Call)) serve(app, call, handler, { path: alias.path });
    }
  };
