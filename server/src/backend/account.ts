import { account, accountAliases } from '@tara/contract/accounts';
import type { Call } from '@tara/contract/calls';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  type AccountRow,
  accountLimits,
  changePassword,
  checkLink,
  confirmRecovery,
  confirmVerification,
  createVerification,
  endSession,
  endSessions,
  findAccount,
  findSession,
  listSessions,
  recordEvent,
  requestRecovery,
  signIn,
  signUp,
  visitOf,
} from '../features/accounts/index.ts';
import type { Database } from '../platform/database/connect.ts';
import { clearSession, sessionCookie, setSession } from '../platform/http/cookies.ts';
import { type Answer, type Input, serve } from '../platform/http/serve.ts';
import type { Viewer } from '../platform/http/viewer.ts';
import type { Platform } from '../platform/platform.ts';
import { Problem } from '../platform/problem.ts';
import { presentSession, presentToken, presentUntoldToken, presentUser } from './present.ts';
import { foreignOrigin } from './wire.ts';

/** The account of a viewer. @throws Problem `general_unauthorized_scope` when it is gone. */
export async function accountOf(database: Database, { accountId }: Viewer): Promise<AccountRow> {
  const row = await findAccount(database, accountId);
  if (row === undefined) throw new Problem('general_unauthorized_scope');
  return row;
}

/** A browser keeps the secret in its cookie, out of reach of scripts; another client must be told it. */
const isBrowser = ({ headers }: FastifyRequest) =>
  headers.origin !== undefined || headers['sec-fetch-site'] !== undefined;

const currentOr = (viewer: Viewer, sessionId: string) =>
  sessionId === 'current' ? viewer.sessionId : sessionId;

/** Binds the account calls of the backend service (§7), in both families of paths. */
export function accountWireRoutes(app: FastifyInstance, platform: Platform): void {
  const { config, database, bus } = platform;
  const cookie = sessionCookie(config.projectId, config.publicUrl);
  const limits = accountLimits(config.rateLimits);

  const bind = <C extends Call>(
    call: C,
    handler: (input: Input<C>) => Promise<Answer<C> | FastifyReply>,
  ): void => {
    serve(app, call, handler);
    for (const alias of accountAliases) {
      if (account[alias.call] === (call as Call)) serve(app, call, handler, { path: alias.path });
    }
  };

  /** The header by which an SDK keeps the session where the browser refuses our cookie; `{}` or `[]` as the wire has it. */
  const offerFallback = (request: FastifyRequest, reply: FastifyReply, cookies: object) => {
    if (foreignOrigin(request, config) !== null) reply.header('x-fallback-cookies', JSON.stringify(cookies));
  };
  const forgetSession = (request: FastifyRequest, reply: FastifyReply) => {
    clearSession(reply, cookie);
    offerFallback(request, reply, []);
  };

  bind(account.create, async ({ body, request }) => {
    await limits.signUpByAddress.consume(request.ip);
    const id = body.userId === 'unique()' ? undefined : body.userId;
    return presentUser(await signUp(database, { ...body, id }, visitOf(request)));
  });

  bind(account.get, async ({ viewer }) => presentUser(await accountOf(database, viewer)));

  bind(account.createEmailSession, async ({ body, request, reply }) => {
    const { session, email, secret, endedOldest } = await signIn(database, body, visitOf(request), limits);
    if (endedOldest) bus.publish('viewerChanged', { accountId: session.accountId });
    setSession(reply, cookie, secret, session.expiresAt);
    offerFallback(request, reply, { [`a_session_${config.projectId}`]: secret });
    return presentSession(session, {
      email,
      currentId: session.id,
      secret: isBrowser(request) ? '' : secret,
    });
  });

  bind(account.listSessions, async ({ viewer }) => {
    const open = await listSessions(database, viewer.accountId);
    const sessions = open.map((row) =>
      presentSession(row, { email: viewer.email, currentId: viewer.sessionId }),
    );
    return { total: sessions.length, sessions };
  });

  bind(account.getSession, async ({ viewer, params }) => {
    const row = await findSession(database, viewer.accountId, currentOr(viewer, params.sessionId));
    if (row === undefined) throw new Problem('user_session_not_found');
    return presentSession(row, { email: viewer.email, currentId: viewer.sessionId });
  });

  bind(account.deleteSession, async ({ viewer, params, request, reply }) => {
    const id = currentOr(viewer, params.sessionId);
    if (!(await endSession(database, viewer.accountId, id, visitOf(request)))) {
      throw new Problem('user_session_not_found');
    }
    bus.publish('viewerChanged', { accountId: viewer.accountId });
    if (id === viewer.sessionId) forgetSession(request, reply);
    return undefined;
  });

  bind(account.deleteSessions, async ({ viewer, request, reply }) => {
    await database.transaction(async (transaction) => {
      await endSessions(transaction, viewer.accountId);
      await recordEvent(transaction, viewer.accountId, 'sessions.delete', visitOf(request));
    });
    bus.publish('viewerChanged', { accountId: viewer.accountId });
    forgetSession(request, reply);
    return undefined;
  });

  bind(account.updatePassword, async ({ viewer, body, request }) => {
    const changed = await changePassword(database, viewer, body, visitOf(request), limits);
    bus.publish('viewerChanged', { accountId: viewer.accountId });
    return presentUser(changed);
  });

  bind(account.createVerification, async ({ viewer, body, request }) => {
    const url = checkLink(body.url, config, request.socket.localPort);
    await limits.verificationByAccount.consume(viewer.accountId);
    return presentToken(await createVerification(platform, viewer.accountId, url, visitOf(request)));
  });

  bind(account.confirmVerification, async ({ body, request }) => {
    await limits.secretByAddress.consume(request.ip);
    const token = await confirmVerification(database, body, visitOf(request));
    bus.publish('viewerChanged', { accountId: token.accountId });
    return presentToken(token);
  });

  bind(account.createRecovery, async ({ body, request }) => {
    const url = checkLink(body.url, config, request.socket.localPort);
    await limits.recoveryByAddress.consume(request.ip);
    await limits.recoveryByEmail.consume(body.email);
    await requestRecovery(database, { email: body.email, url, visit: visitOf(request) });
    return presentUntoldToken();
  });

  bind(account.confirmRecovery, async ({ body, request }) => {
    await limits.secretByAddress.consume(request.ip);
    const token = await confirmRecovery(database, body, visitOf(request));
    bus.publish('viewerChanged', { accountId: token.accountId });
    return presentToken(token);
  });
}
