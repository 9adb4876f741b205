import { account } from '@tara/contract/accounts/accounts';
import type { FastifyInstance } from 'fastify';
import {
  type AccountLimits,
  type AccountRow,
  changeEmail,
  changePassword,
  changePhone,
  checkLink,
  chooseSending,
  clearMessages,
  confirmRecovery,
  confirmVerification,
  createVerification,
  knownDevice,
  limitSignUp,
  listEvents,
  mailUnaskedLink,
  readVisit,
  requestLastLink,
  requestRecovery,
  signUp,
  trySecret,
  updateName,
  updatePrefs,
  withoutFileTokens,
} from '../../features/accounts/index.ts';
import { leave } from '../../features/personal-data/index.ts';
import type { Topics } from '../../platform/documents.ts';
import { addressKey } from '../../platform/http/client-address.ts';
import type { Platform } from '../../platform/platform.ts';
import { readPageQueries } from '../page.ts';
import { presentLog, presentToken, presentUntoldToken, presentUser } from '../present.ts';
import { bindAccount, readAccount } from '../wire.ts';
import { oauthWireRoutes } from './oauth2.ts';
import { passwordlessWireRoutes } from './passwordless.ts';
import { sessionReplies } from './session-replies.ts';
import { sessionWireRoutes } from './sessions.ts';

/** Binds the account calls of the backend service (§7), in both families of paths. */
export function accountWireRoutes(app: FastifyInstance, platform: Platform, limits: AccountLimits): void {
  const { config, database, bus } = platform;
  const bind = bindAccount(app);
  const replies = sessionReplies(platform);
  sessionWireRoutes(app, platform, limits, replies);
  passwordlessWireRoutes(app, platform, limits, replies);
  oauthWireRoutes(app, platform, limits, replies);

  bind(account.create, async ({ body, request }) => {
    await limitSignUp(limits, request.ip);
    const id = body.userId === 'unique()' ? undefined : body.userId;
    const visit = readVisit(request);
    const row = await signUp(database, { ...body, id }, visit);
    await mailUnaskedLink(platform, row.id, limits, visit);
    return presentUser(row);
  });

  bind(account.get, async ({ viewer }) => presentUser(await readAccount(database, viewer)));

  const presentChange = (row: AccountRow, field: Topics['userChanged']['field']) => {
    bus.publish('userChanged', { accountId: row.id, field });
    return presentUser(row);
  };

  bind(account.updateName, async ({ viewer, body, request }) =>
    presentUser(await updateName(platform, viewer, body.name, readVisit(request))),
  );

  bind(account.updateEmail, async ({ viewer, body, request }) => {
    const changed = await changeEmail(platform, viewer, body, readVisit(request), limits);
    bus.publish('viewerChanged', { accountId: viewer.accountId });
    return presentUser(changed);
  });

  bind(account.updatePhone, async ({ viewer, body, request }) =>
    presentChange(await changePhone(database, viewer, body, readVisit(request), limits), 'phone'),
  );

  bind(account.getPrefs, async ({ viewer }) => (await readAccount(database, viewer)).prefs);

  bind(account.updatePrefs, async ({ viewer, body, request }) =>
    presentChange(
      await updatePrefs(
        database,
        viewer,
        withoutFileTokens(body.prefs) as typeof body.prefs,
        readVisit(request),
      ),
      'prefs',
    ),
  );

  bind(account.updatePassword, async ({ viewer, body, request }) => {
    const changed = await changePassword(platform, viewer, body, readVisit(request), limits);
    await clearMessages(limits, database, viewer.accountId);
    return presentUser(changed);
  });

  bind(account.listLogs, async ({ viewer, query }) => {
    const row = await readAccount(database, viewer);
    const { total, rows } = await listEvents(database, viewer.accountId, readPageQueries(query));
    return { total, logs: rows.map((event) => presentLog(event, row)) };
  });

  bind(account.updateStatus, async ({ viewer, request, reply }) => {
    await leave(platform, viewer, readVisit(request));
    replies.forget(request, reply);
    return presentUser(await readAccount(database, viewer));
  });

  bind(account.createVerification, async ({ viewer, body, request }) => {
    const url = checkLink(body.url, config, request.socket.localPort);
    await limits.verificationByAccount.consume(viewer.accountId);
    const token = await createVerification(platform, viewer.accountId, url, readVisit(request), limits);
    bus.publish('tokenChanged', { kind: 'verification', change: 'create', token });
    return presentToken(token);
  });

  bind(account.confirmVerification, async ({ body, request }) => {
    const token = await trySecret(limits, request.ip, body.userId, () =>
      confirmVerification(database, body, readVisit(request)),
    );
    await clearMessages(limits, database, token.accountId);
    bus.publish('tokenChanged', { kind: 'verification', change: 'update', token });
    bus.publish('viewerChanged', { accountId: token.accountId });
    return presentToken(token);
  });

  bind(account.createRecovery, async ({ body, request }) => {
    const url = checkLink(body.url, config, request.socket.localPort);
    await limits.recoveryByAddress.consume(request.ip);
    await limits.recoveryByEmail.consume(`${body.email} ${addressKey(request.ip)}`);
    const deviceId = await knownDevice(database, replies.device(request), { email: body.email });
    const mail = { email: body.email, visit: readVisit(request) };
    const sending = await chooseSending(limits, body.email, deviceId);
    if (sending === 'asked') await requestRecovery(database, { ...mail, url });
    if (sending === 'lastLink') await requestLastLink(platform, mail);
    return presentUntoldToken();
  });

  bind(account.confirmRecovery, async ({ body, request, reply }) => {
    const token = await trySecret(limits, request.ip, body.userId, () =>
      confirmRecovery(platform, body, readVisit(request)),
    );
    await clearMessages(limits, database, token.accountId);
    // A person who could read the mail must not wait for others' guesses when using the new password.
    replies.rememberDevice(request, reply, token.accountId);
    return presentToken(token);
  });
}
