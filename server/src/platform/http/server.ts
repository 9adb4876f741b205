import cookie from '@fastify/cookie';
import fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyRequest,
  LogController,
} from 'fastify';
import type { Config } from '../../config.ts';
import { isConnectionLoss } from '../database/connect.ts';
import { isBusy, isDiskFull } from '../database/constraint.ts';
import type { Disk } from '../disk.ts';
import { openFairQueue } from '../fair-queue.ts';
import { StoreAway, StoreFull } from '../files/store.ts';
import { newId } from '../ids.ts';
import type { Log } from '../log.ts';
import { Problem } from '../problem.ts';
import { shareConnections } from './connections.ts';
import { requestJwt, sessionCookie, sessionSecret } from './cookies.ts';
import { errorReplies } from './errors.ts';
import { isJson, jsonProblem } from './json.ts';
import { type Leaving, watchRequests } from './leaving.ts';
import { checkOrigin, safeMethods } from './origin.ts';
import { mostConnections, refuseWhileBehind } from './overload.ts';
import { countInMemory, limitRequests, type OpenCounter, requestsPerMinute } from './rate-limits.ts';
import { isCall } from './route-path.ts';
import { callHeaders, pageHeaders } from './security-headers.ts';
import { readUnreadBodies } from './unread-bodies.ts';
import type { FileCredential, ResolveViewer } from './viewer.ts';

/** Largest JSON body, bytes; a call may set another limit. */
export const bodyLimit = 256 * 1024;
/** Time for the first byte of a connection and for the headers of each request. */
const headersTimeoutMs = 10_000;

/**
 * Calls under way. A browser makes six at once; behind an address of a carrier are hundreds of members. Nobody is refused
 * who stays within the calls of a minute: more of one account or address wait. One address alone never fills what waits
 * for the database (decision 0010). A call that waits for a password or a picture leaves its place to others.
 */
export const callsUnderWay = {
  concurrency: Number.POSITIVE_INFINITY,
  total: 20_000,
  account: { running: 8, total: 2_400 },
  address: { running: 48, total: 10_000 },
  network: { running: 64, total: 20_000 },
  sharesPlaces: true,
};

declare module 'fastify' {
  interface FastifyInstance {
    /** How the server ends its service. */
    leaving: Leaving;
  }
}

interface HttpOptions {
  config: Config;
  log: Log;
  resolveViewer: ResolveViewer;
  /** Left out: never full. */
  disk?: Pick<Disk, 'isFull'>;
  /** Counts requests; in memory unless given. */
  openCounter?: OpenCounter;
}

/** A full disk, a file store that is away, and a lost or overloaded database are temporary: the caller gets a time to try again. */
function translate(error: unknown): Problem | null {
  if (isConnectionLoss(error) || isBusy(error) || error instanceof StoreAway)
    return new Problem('general_unavailable', { retryAfter: 2, cause: error });
  if (isDiskFull(error) || error instanceof StoreFull) {
    return new Problem('general_storage_full', { cause: error });
  }
  return null;
}

const inheritedNames = "Must not have a field '__proto__', nor a field 'prototype' in a field 'constructor'.";

/**
 * JSON bodies: of bounded depth and size before anything else reads them, and perhaps empty (the older SDK names a type
 * where it sends none).
 */
function readJsonBodies(app: FastifyInstance): void {
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    const json = String(body);
    if (json === '') return done(null, undefined);
    const rule = jsonProblem(json);
    if (rule !== null) return done(new Problem('general_argument_invalid', { fields: { body: rule } }));
    void parseJson(request, json, (error, value) => {
      // The parser refuses names that could change what objects inherit in the same words as a text that is not JSON.
      if (error && isJson(json))
        done(new Problem('general_argument_invalid', { fields: { body: inheritedNames } }));
      else done(error, value);
    });
  });
}

/** The address of a picture with each parameter once: some versions of the SDKs repeat all, and the last one counts. */
function readEachOnce(request: FastifyRequest): void {
  const query = Object.entries(request.query ?? {});
  request.query = Object.fromEntries(
    query.map(([name, value]) => [name, Array.isArray(value) ? value.at(-1) : value]),
  );
}

const textOf = (value: unknown, name: string): string | null => {
  const named = typeof value === 'object' && value !== null ? Reflect.get(value, name) : null;
  return typeof named === 'string' && named !== '' ? named : null;
};

/** The token in a file's address; null without one, and of every other address. */
function fileCredential({ routeOptions, query, params }: FastifyRequest): FileCredential | null {
  if (routeOptions.config.picture !== 'stored') return null;
  const token = textOf(query, 'token');
  const bucketId = textOf(params, 'bucketId');
  const fileId = textOf(params, 'fileId');
  return token !== null && bucketId !== null && fileId !== null ? { token, bucketId, fileId } : null;
}

/** The HTTP server with everything that holds for every request: limits, headers, origin, session, errors, logs. */
export async function createHttpServer({
  config,
  log,
  resolveViewer,
  disk,
  openCounter = countInMemory,
}: HttpOptions): Promise<FastifyInstance> {
  const sessionCookieName = sessionCookie(config.projectId, config.publicUrl);
  const logger: FastifyBaseLogger = log;
  const headers = { page: pageHeaders(config.publicUrl), call: callHeaders(config.publicUrl) };
  const errors = errorReplies({ translate, headers: headers.call, newRequestId: newId });
  const app = fastify({
    loggerInstance: logger,
    // One line for each answer, written below; Fastify's own two would repeat it.
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => newId(),
    // A logger for each request would redact its id again; lines about a request name it themselves.
    childLoggerFactory: (parent) => parent,
    bodyLimit,
    // The nearest so many hops are our own proxies.
    trustProxy: config.trustProxy > 0 ? (_address, hop) => hop < config.trustProxy : false,
    requestTimeout: 120_000,
    keepAliveTimeout: 30_000,
    routerOptions: { maxParamLength: 200 },
    forceCloseConnections: true,
    http: {
      // Node would refuse a request without `Host` in a shape of its own.
      requireHostHeader: false,
      // Also of a connection that sends nothing, or asks for a socket.
      headersTimeout: headersTimeoutMs,
      connectionsCheckingInterval: headersTimeoutMs / 5,
    },
    frameworkErrors: errors.frameworkErrors,
    clientErrorHandler: errors.refuseSocket,
  });
  errors.install(app);
  readJsonBodies(app);
  await app.register(cookie);
  shareConnections(app.server, mostConnections());
  refuseWhileBehind(app);
  readUnreadBodies(app);
  app.decorate('leaving', watchRequests(app.server));
  app.decorateRequest('viewer', null);
  app.decorateRequest('readViewerAnew', null);
  app.decorateRequest('hasFileToken', false);
  app.decorate('callQueue', config.rateLimits ? openFairQueue(callsUnderWay) : null);
  /** What guests may do, such as signing in, is done for a guest where a neighbour's unknown secrets are refused. */
  const findViewer = async (
    request: FastifyRequest,
    credential: string | FileCredential,
    isRefused = false,
  ) => {
    try {
      return await resolveViewer(credential, request.ip, isRefused);
    } catch (error) {
      const isGuests =
        request.routeOptions.config.call?.access === 'anyone' && !safeMethods.has(request.method);
      if (isGuests && error instanceof Problem && error.type === 'general_rate_limit_exceeded') return null;
      throw error;
    }
  };
  app.addHook('onRequest', async (request, reply) => {
    // The caller reset the connection: limits and records would miss their address, and nobody reads the answer.
    if (request.ip === undefined) {
      reply.hijack();
      request.raw.destroy();
      return;
    }
    reply.headers(isCall(request) ? headers.call : headers.page);
    if (request.headers.host === undefined && request.raw.httpVersion === '1.1')
      throw new Problem('general_argument_invalid', { fields: { host: 'is missing' } });
    const isChecked = !safeMethods.has(request.method) && !request.routeOptions.config.fromAnywhere;
    if (isChecked) checkOrigin(request, config);
    if (request.routeOptions.config.picture !== undefined) readEachOnce(request);
    const jwt = requestJwt(request);
    const file = jwt === null ? fileCredential(request) : null;
    const reader = file && (await findViewer(request, file));
    if (reader !== null) {
      // The page that shows the picture chose its member. An address gets about: it opens nothing that admins see.
      request.viewer = { ...reader, admin: false };
      request.hasFileToken = true;
      return;
    }
    // A browser sends its cookie with everything: the token, which a page chose to send, counts.
    const credential = jwt ?? sessionSecret(request, sessionCookieName);
    request.viewer = credential === null ? null : await findViewer(request, credential);
    if (jwt !== null && request.viewer === null) throw new Problem('user_jwt_invalid');
    if (credential !== null && request.viewer !== null)
      request.readViewerAnew = () => findViewer(request, credential, true);
  });
  if (config.rateLimits) app.addHook('onRequest', limitRequests(requestsPerMinute, openCounter));
  app.addHook('onRequest', ({ routeOptions: { config: route } }, _reply, done) => {
    const isRefused = route.call?.whileDiskFull === false && disk?.isFull();
    done(isRefused ? new Problem('general_storage_full') : undefined);
  });
  app.addHook('onResponse', (request, reply, done) => {
    // 501 is said of what is not configured: it is asked for by anybody, and no failure.
    const failed = reply.statusCode >= 500 && reply.statusCode !== 501;
    if (failed || log.isLevelEnabled('debug')) {
      const line = { reqId: request.id, req: request, res: reply, ms: Math.round(reply.elapsedTime) };
      if (failed) log.error(line, 'request failed');
      else log.debug(line, 'request');
    }
    done();
  });
  return app;
}

/**
 * `/healthz`: the process is alive. `/readyz`: it can serve now and goes on, else 503; `details` say how its parts are that others
 * can do without for a while, and with `redis: 'away'` it is 'degraded'.
 */
export function healthRoutes(
  app: FastifyInstance,
  isReady: () => Promise<boolean>,
  details: () => Record<string, string | number> = () => ({}),
): void {
  app.get('/healthz', async () => ({ status: 'ok' }));
  app.get('/readyz', async () => {
    if (app.leaving.hasBegun || !(await isReady()))
      throw new Problem('general_unavailable', { retryAfter: 2 });
    const parts = details();
    return { status: parts.redis === 'away' ? 'degraded' : 'ok', ...parts };
  });
}
