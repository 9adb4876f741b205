import { account } from '@tara/contract/accounts/accounts';
import { jwtSeconds } from '@tara/contract/limits';
import { accountTokens } from '@tara/contract/wire/account-tokens';
import type { FastifyInstance } from 'fastify';
import {
  type AccountLimits,
  endSession,
  endSessions,
  extendSession,
  findSession,
  listSessions,
  makeJwt,
  readVisit,
  recordEvent,
  signIn,
} from '../../features/accounts/index.ts';
import { requestJwt } from '../../platform/http/cookies.ts';
import { serve } from '../../platform/http/serve.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import type { Platform } from '../../platform/platform.ts';
import { Problem } from '../../platform/problem.ts';
import { presentSession } from '../present.ts';
import { bindAccount } from '../wire.ts';
import type { SessionReplies } from './session-replies.ts';

const currentOr = (viewer: Viewer, sessionId: string) =>
  sessionId === 'current' ? viewer.sessionId : sessionId;

/** Binds the calls about sessions of the account: signing in by password, reading, extending and ending them, tokens. */
export function sessionWireRoutes(
  app: FastifyInstance,
  platform: Platform,
  limits: AccountLimits,
  replies: SessionReplies,
): void {
  const { database, bus, sealer } = platform;
  const bind = bindAccount(app);
  const present = (row: Parameters<typeof presentSession>[0], viewer: Viewer) =>
    presentSession(row, { email: viewer.email, currentId: viewer.sessionId });

  bind(account.createEmailSession, async ({ body, request, reply }) => {
    const started = await signIn(database, body, readVisit(request), limits, replies.device(request));
    return replies.open(request, reply, started);
  });

  bind(account.listSessions, async ({ viewer }) => {
    const open = await listSessions(database, viewer.accountId);
    return { total: open.length, sessions: open.map((row) => present(row, viewer)) };
  });

  bind(account.getSession, async ({ viewer, params }) => {
    const row = await findSession(database, viewer.accountId, currentOr(viewer, params.sessionId));
    if (row === undefined) throw new Problem('user_session_not_found');
    return present(row, viewer);
  });

  serve(app, accountTokens.extendSession, async ({ viewer, params, request, reply }) => {
    await limits.extensionsByAccount.consume(viewer.accountId);
    const row = await extendSession(database, viewer.accountId, currentOr(viewer, params.sessionId));
    if (row === undefined) throw new Problem('user_session_not_found');
    bus.publish('viewerChanged', { accountId: viewer.accountId });
    const { secretHash: _, ...session } = row;
    bus.publish('sessionChanged', { change: 'update', session, email: viewer.email });
    if (row.id === viewer.sessionId) replies.extend(request, reply, row.expiresAt);
    return present(row, viewer);
  });

  bind(account.deleteSession, async ({ viewer, params, request, reply }) => {
    await limits.sessionEndsByAccount.consume(viewer.accountId);
    const id = currentOr(viewer, params.sessionId);
    const isEnded = await endSession(platform, viewer.accountId, id, readVisit(request));
    if (!isEnded) throw new Problem('user_session_not_found');
    if (id === viewer.sessionId) replies.forget(request, reply);
    return undefined;
  });

  bind(account.deleteSessions, async ({ viewer, request, reply }) => {
    await database.transaction(async (transaction) => {
      await recordEvent(transaction, viewer.accountId, 'sessions.delete', readVisit(request));
      await endSessions(transaction, bus, viewer.accountId);
    });
    replies.forget(request, reply);
    return undefined;
  });

  bind(account.createJwt, async ({ viewer, body, request }) => {
    // Else a token that leaks could live on by others that it makes.
    if (requestJwt(request) !== null) throw new Problem('user_jwt_creation_denied');
    await limits.tokensByAccount.consume(viewer.accountId);
    return { jwt: makeJwt(sealer, viewer, body.duration ?? jwtSeconds.usual) };
  });
}
