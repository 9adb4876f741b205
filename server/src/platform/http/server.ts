import cookie from '@fastify/cookie';
import underPressure from '@fastify/under-pressure';
import fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import type { Config } from '../../config.ts';
import { isConnectionLoss } from '../database/connect.ts';
import { isBusy, isDiskFull } from '../database/constraint.ts';
import { StoreFull } from '../files/store.ts';
import { newId } from '../ids.ts';
import type { Log } from '../log.ts';
import { Problem } from '../problem.ts';
import { requestJwt, sessionCookie, sessionSecret } from './cookies.ts';
import { errorReplies } from './errors.ts';
import { jsonProblem } from './json.ts';
import { checkOrigin, safeMethods } from './origin.ts';
import { limitRequests } from './rate-limits.ts';
import { isCall } from './route-path.ts';
import { callHeaders, pageHeaders } from './security-headers.ts';
import type { ResolveViewer } from './viewer.ts';

/** Largest JSON body, bytes; a call may set another limit. */
const bodyLimit = 256 * 1024;

interface HttpOptions {
  config: Config;
  log: Log;
  resolveViewer: ResolveViewer;
}

/** A full disk, and a lost or overloaded database, are temporary: the caller gets a time to try again. */
function translate(error: unknown): Problem | null {
  if (isConnectionLoss(error) || isBusy(error))
    return new Problem('general_unavailable', { retryAfter: 2, cause: error });
  if (isDiskFull(error) || error instanceof StoreFull) {
    return new Problem('general_storage_full', { cause: error });
  }
  return null;
}

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
    if (rule === null) return parseJson(request, json, done);
    done(new Problem('general_argument_invalid', { fields: { body: rule } }));
  });
}

/** The HTTP server with everything that holds for every request: limits, headers, origin, session, errors, logs. */
export async function createHttpServer({
  config,
  log,
  resolveViewer,
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
    // Node would refuse a request without `Host` in a shape of its own.
    http: { requireHostHeader: false },
    frameworkErrors: errors.frameworkErrors,
    clientErrorHandler: errors.refuseSocket,
  });
  errors.install(app);
  readJsonBodies(app);
  await app.register(cookie);
  await app.register(underPressure, {
    maxEventLoopDelay: 3_000,
    retryAfter: 2,
    pressureHandler: () => {
      throw new Problem('general_unavailable', { retryAfter: 2 });
    },
  });
  app.decorateRequest('viewer', null);
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(isCall(request) ? headers.call : headers.page);
    if (request.headers.host === undefined && request.raw.httpVersion === '1.1')
      throw new Problem('general_argument_invalid', { fields: { host: 'is missing' } });
    const isChecked = !safeMethods.has(request.method) && !request.routeOptions.config.fromAnywhere;
    if (isChecked) checkOrigin(request, config);
    const jwt = requestJwt(request);
    // A browser sends its cookie with everything: the token, which a page chose to send, counts.
    const credential = jwt ?? sessionSecret(request, sessionCookieName);
    request.viewer = credential === null ? null : await resolveViewer(credential, request.ip);
    if (jwt !== null && request.viewer === null) throw new Problem('user_jwt_invalid');
  });
  if (config.rateLimits) app.addHook('onRequest', limitRequests());
  app.addHook('onResponse', async (request, reply) => {
    const failed = reply.statusCode >= 500;
    if (!failed && !log.isLevelEnabled('debug')) return;
    const line = { reqId: request.id, req: request, res: reply, ms: Math.round(reply.elapsedTime) };
    if (failed) log.error(line, 'request failed');
    else log.debug(line, 'request');
  });
  return app;
}

/** `/healthz`: the process is alive. `/readyz`: it can serve now, else 503. */
export function healthRoutes(app: FastifyInstance, isReady: () => Promise<boolean>): void {
  app.get('/healthz', async () => ({ status: 'ok' }));
  app.get('/readyz', async () => {
    if (!(await isReady())) throw new Problem('general_unavailable', { retryAfter: 2 });
    return { status: 'ok' };
  });
}
