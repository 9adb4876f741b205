import { account } from '@tara/contract/accounts';
import { jwtSeconds } from '@tara/contract/limits';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  type AccountLimits,
  changeEmail,
  changePassword,
  changePhone,
  checkLink,
  confirmMagicUrl,
  confirmPhoneCode,
  confirmPhoneVerification,
  confirmRecovery,
  confirmVerification,
  createMagicUrl,
  createPhoneCode,
  createPhoneVerification,
  createVerification,
  deviceToken,
  endSession,
  endSessions,
  findSession,
  listEvents,
  listSessions,
  makeJwt,
  readDevice,
  recordEvent,
  requestRecovery,
  type SignedIn,
  signIn,
  signUp,
  startAnonymousSession,
  updateName,
  updatePrefs,
  visitOf,
} from '../features/accounts/index.ts';
import { leave } from '../features/personal-data/index.ts';
import { addressKey } from '../platform/http/client-address.ts';
import {
  clearCookie,
  deviceCookie,
  fallbackName,
  readCookie,
  requestJwt,
  sessionCookie,
  setCookie,
} from '../platform/http/cookies.ts';
import type { Viewer } from '../platform/http/viewer.ts';
import type { Platform } from '../platform/platform.ts';
import { Problem } from '../platform/problem.ts';
import { readPage } from './page.ts';
import {
  presentLog,
  presentSentSecret,
  presentSession,
  presentToken,
  presentUntoldToken,
  presentUser,
} from './present.ts';
import { accountOf, bindAccount, foreignOrigin } from './wire.ts';

/** A browser keeps the secret in its cookie, out of reach of scripts; another client must be told it. */
const isBrowser = ({ headers }: FastifyRequest) =>
  headers.origin !== undefined || headers['sec-fetch-site'] !== undefined;

const currentOr = (viewer: Viewer, sessionId: string) =>
  sessionId === 'current' ? viewer.sessionId : sessionId;

/** Binds the account calls of the backend service (§7), in both families of paths. */
export function accountWireRoutes(app: FastifyInstance, platform: Platform, limits: AccountLimits): void {
  const { config, database, bus, sealer } = platform;
  const cookies = {
    session: sessionCookie(config.projectId, config.publicUrl),
    device: deviceCookie(config.projectId, config.publicUrl),
  };

  const bind = bindAccount(app);

  /** The header by which an SDK keeps the session where the browser refuses our cookie; `{}` or `[]` as the wire has it. */
  const offerFallback = (request: FastifyRequest, reply: FastifyReply, offered: object) => {
    if (foreignOrigin(request, config) !== null) reply.header('x-fallback-cookies', JSON.stringify(offered));
  };
  const forgetSession = (request: FastifyRequest, reply: FastifyReply) => {
    clearCookie(reply, cookies.session);
    const token = readCookie(request, cookies.device);
    const isOurs = readDevice(sealer, token) !== null;
    offerFallback(request, reply, isOurs ? { [fallbackName(cookies.device)]: token } : []);
  };
  /** Lets the device be known when it signs in to the account again; returns its token. */
  const rememberDevice = (request: FastifyRequest, reply: FastifyReply, accountId: string) => {
    const device = readDevice(sealer, readCookie(request, cookies.device));
    const { token, expiresAt } = deviceToken(sealer, device, accountId);
    // A foreign page keeps it among its fallback cookies.
    if (foreignOrigin(request, config) === null) setCookie(reply, cookies.device, token, expiresAt);
    return token;
  };

  bind(account.create, async ({ body, request }) => {
    await limits.signUpByAddress.consume(request.ip);
    const id = body.userId === 'unique()' ? undefined : body.userId;
    return presentUser(await signUp(database, { ...body, id }, visitOf(request)));
  });

  bind(account.get, async ({ viewer }) => presentUser(await accountOf(database, viewer)));

  /** Gives a new session to its client, by the cookie or, where that is no use, in the reply. */
  const openSession = (request: FastifyRequest, reply: FastifyReply, started: SignedIn) => {
    const { session, email, secret, endedOldest } = started;
    if (endedOldest) bus.publish('viewerChanged', { accountId: session.accountId });
    setCookie(reply, cookies.session, secret, session.expiresAt);
    const token = rememberDevice(request, reply, session.accountId);
    offerFallback(request, reply, {
      [fallbackName(cookies.session)]: secret,
      [fallbackName(cookies.device)]: token,
    });
    return presentSession(session, {
      email,
      currentId: session.id,
      secret: isBrowser(request) ? '' : secret,
    });
  };

  bind(account.createEmailSession, async ({ body, request, reply }) => {
    const device = readDevice(sealer, readCookie(request, cookies.device));
    return openSession(request, reply, await signIn(database, body, visitOf(request), limits, device));
  });

  bind(account.createAnonymousSession, async ({ viewer, request, reply }) => {
    if (viewer !== null) throw new Problem('user_session_already_exists');
    await limits.anonymousByAddress.consume(request.ip);
    return openSession(request, reply, await startAnonymousSession(database, visitOf(request)));
  });

  bind(account.createMagicUrl, async ({ body, request }) => {
    const url = checkLink(body.url, config, request.socket.localPort);
    await limits.magicUrlByAddress.consume(request.ip);
    await limits.magicUrlByEmail.consume(`${body.email} ${addressKey(request.ip)}`);
    const mails = await limits.magicUrlMails.allows(body.email);
    const userId = body.userId === 'unique()' ? undefined : body.userId;
    return presentSentSecret(await createMagicUrl(platform, { userId, email: body.email, url, mails }));
  });

  bind(account.confirmMagicUrl, async ({ body, request, reply }) => {
    await limits.secretByAddress.consume(request.ip);
    const started = await confirmMagicUrl(database, body, visitOf(request));
    bus.publish('viewerChanged', { accountId: started.session.accountId });
    return openSession(request, reply, started);
  });

  const requireSms = () => {
    // The mailbox page shows texts; nothing else sends them.
    if (config.smtpUrl !== undefined) throw new Problem('general_phone_disabled');
  };

  bind(account.createPhoneCode, async ({ body, request }) => {
    requireSms();
    await limits.phoneByAddress.consume(request.ip);
    await limits.phoneByNumber.consume(`${body.phone} ${addressKey(request.ip)}`);
    const texts = await limits.phoneTexts.allows(body.phone);
    const userId = body.userId === 'unique()' ? undefined : body.userId;
    return presentSentSecret(await createPhoneCode(platform, { userId, phone: body.phone, texts }));
  });

  bind(account.confirmPhoneCode, async ({ body, request, reply }) => {
    await limits.secretByAddress.consume(request.ip);
    return openSession(request, reply, await confirmPhoneCode(platform, body, visitOf(request)));
  });

  bind(account.createPhoneVerification, async ({ viewer }) => {
    requireSms();
    await limits.verificationByAccount.consume(viewer.accountId);
    return presentSentSecret(await createPhoneVerification(platform, viewer));
  });

  bind(account.confirmPhoneVerification, async ({ body, request }) => {
    await limits.secretByAddress.consume(request.ip);
    return presentSentSecret(await confirmPhoneVerification(platform, body, visitOf(request)));
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

  bind(account.updateName, async ({ viewer, body, request }) =>
    presentUser(await updateName(platform, viewer, body.name, visitOf(request))),
  );

  bind(account.updateEmail, async ({ viewer, body, request }) => {
    const changed = await changeEmail(platform, viewer, body, visitOf(request), limits);
    bus.publish('viewerChanged', { accountId: viewer.accountId });
    return presentUser(changed);
  });

  bind(account.updatePhone, async ({ viewer, body, request }) =>
    presentUser(await changePhone(database, viewer, body, visitOf(request), limits)),
  );

  bind(account.getPrefs, async ({ viewer }) => (await accountOf(database, viewer)).prefs);

  bind(account.updatePrefs, async ({ viewer, body, request }) =>
    presentUser(await updatePrefs(database, viewer, body.prefs, visitOf(request))),
  );

  bind(account.updatePassword, async ({ viewer, body, request }) => {
    const changed = await changePassword(database, viewer, body, visitOf(request), limits);
    bus.publish('viewerChanged', { accountId: viewer.accountId });
    return presentUser(changed);
  });

  bind(account.createJwt, async ({ viewer, body, request }) => {
    // Else a token that leaks could live on by others that it makes.
    if (requestJwt(request) !== null) throw new Problem('user_jwt_creation_denied');
    return { jwt: makeJwt(platform.sealer, viewer, body.duration ?? jwtSeconds.usual) };
  });

  bind(account.listLogs, async ({ viewer, query }) => {
    const row = await accountOf(database, viewer);
    const { total, rows } = await listEvents(database, viewer.accountId, readPage(query));
    return { total, logs: rows.map((event) => presentLog(event, row)) };
  });

  bind(account.updateStatus, async ({ viewer, request, reply }) => {
    await leave(platform, viewer, visitOf(request));
    forgetSession(request, reply);
    return presentUser(await accountOf(database, viewer));
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
    await limits.recoveryByEmail.consume(`${body.email} ${addressKey(request.ip)}`);
    await requestRecovery(database, { email: body.email, url, visit: visitOf(request) });
    return presentUntoldToken();
  });

  bind(account.confirmRecovery, async ({ body, request, reply }) => {
    await limits.secretByAddress.consume(request.ip);
    const token = await confirmRecovery(database, body, visitOf(request));
    bus.publish('viewerChanged', { accountId: token.accountId });
    // Who could read the mail must not wait for the guesses of others with the new password.
    rememberDevice(request, reply, token.accountId);
    return presentToken(token);
  });
}
