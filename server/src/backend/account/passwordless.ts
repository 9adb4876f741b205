import { account } from '@tara/contract/accounts/accounts';
import { accountTokens } from '@tara/contract/wire/account-tokens';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import {
  type AccountLimits,
  checkLink,
  chooseSending,
  clearMessages,
  confirmMagicUrl,
  confirmPhoneCode,
  confirmPhoneVerification,
  confirmSecret,
  createEmailCode,
  createMagicUrl,
  createPhoneCode,
  createPhoneVerification,
  knownDevice,
  newPhrase,
  readVisit,
  requestLastLink,
  startAnonymousSession,
  trySecret,
} from '../../features/accounts/index.ts';
import { addressKey } from '../../platform/http/client-address.ts';
import { serve } from '../../platform/http/serve.ts';
import type { Platform } from '../../platform/platform.ts';
import { Problem } from '../../platform/problem.ts';
import { presentSentSecret } from '../present.ts';
import { bindAccount, foreignOrigin } from '../wire.ts';
import type { SessionReplies } from './session-replies.ts';

const phraseOf = ({ phrase }: { phrase?: boolean | null | undefined }) =>
  phrase === true ? newPhrase() : undefined;

/** The id that a caller chose for an account that may have to be made; undefined leaves it to the server. */
const chosenId = (userId: string) => (userId === 'unique()' ? undefined : userId);

/** Binds the calls that sign in without a password: anonymously, by a mailed link, and by codes of mails and texts. */
export function passwordlessWireRoutes(
  app: FastifyInstance,
  platform: Platform,
  limits: AccountLimits,
  replies: SessionReplies,
): void {
  const { config, database, bus } = platform;
  const bind = bindAccount(app);

  /** Where a link leads that was asked for without a page: to the app, or to our own page. */
  const defaultPage = (request: FastifyRequest) => {
    const origin = foreignOrigin(request, config);
    return `${origin?.startsWith('http') ? origin : config.publicUrl}/sign-in`;
  };

  /** Whether a code or a link is sent; a device of the receiver's has its own share. */
  const mayBeSent = async (request: FastifyRequest, receiver: { email: string } | { phone: string }) => {
    const deviceId = await knownDevice(database, replies.device(request), receiver);
    if ('phone' in receiver) return (await chooseSending(limits, receiver.phone, deviceId)) === 'asked';
    const sending = await chooseSending(limits, receiver.email, deviceId);
    if (sending === 'lastLink')
      await requestLastLink(platform, { email: receiver.email, visit: readVisit(request) });
    return sending === 'asked';
  };

  bind(account.createAnonymousSession, async ({ viewer, request, reply }) => {
    if (viewer !== null) throw new Problem('user_session_already_exists');
    await limits.anonymousByAddress.consume(request.ip);
    return replies.open(request, reply, await startAnonymousSession(database, readVisit(request)));
  });

  bind(account.createMagicUrl, async ({ body, request }) => {
    const url = checkLink(body.url ?? defaultPage(request), config, request.socket.localPort);
    await limits.magicUrlByAddress.consume(request.ip);
    await limits.magicUrlByEmail.consume(`${body.email} ${addressKey(request.ip)}`);
    const mails = await mayBeSent(request, { email: body.email });
    const userId = chosenId(body.userId);
    return presentSentSecret(
      await createMagicUrl(platform, { userId, email: body.email, url, mails, phrase: phraseOf(body) }),
    );
  });

  bind(account.confirmMagicUrl, async ({ body, request, reply }) => {
    const started = await trySecret(limits, request.ip, body.userId, () =>
      confirmMagicUrl(database, body, replies.visit(request)),
    );
    await clearMessages(limits, database, started.session.accountId);
    bus.publish('viewerChanged', { accountId: started.session.accountId });
    return replies.open(request, reply, started);
  });

  serve(app, accountTokens.createEmailCode, async ({ body, request }) => {
    await limits.magicUrlByAddress.consume(request.ip);
    await limits.magicUrlByEmail.consume(`${body.email} ${addressKey(request.ip)}`);
    const mails = await mayBeSent(request, { email: body.email });
    const userId = chosenId(body.userId);
    return presentSentSecret(
      await createEmailCode(platform, { userId, email: body.email, mails, phrase: phraseOf(body) }),
    );
  });

  serve(app, accountTokens.createSession, async ({ body, request, reply }) => {
    const started = await trySecret(limits, request.ip, body.userId, () =>
      confirmSecret(platform, body, replies.visit(request)),
    );
    await clearMessages(limits, database, started.session.accountId);
    bus.publish('viewerChanged', { accountId: started.session.accountId });
    return replies.open(request, reply, started);
  });

  const requireSms = () => {
    // The mailbox page shows texts; nothing else sends them.
    if (config.smtpUrl !== undefined) throw new Problem('general_phone_disabled');
  };

  bind(account.createPhoneCode, async ({ body, request }) => {
    requireSms();
    await limits.phoneByAddress.consume(request.ip);
    await limits.phoneByNumber.consume(`${body.phone} ${addressKey(request.ip)}`);
    const texts = await mayBeSent(request, { phone: body.phone });
    const userId = chosenId(body.userId);
    return presentSentSecret(await createPhoneCode(platform, { userId, phone: body.phone, texts }));
  });

  bind(account.confirmPhoneCode, async ({ body, request, reply }) => {
    const started = await trySecret(limits, request.ip, body.userId, () =>
      confirmPhoneCode(platform, body, replies.visit(request)),
    );
    return replies.open(request, reply, started);
  });

  bind(account.createPhoneVerification, async ({ viewer }) => {
    requireSms();
    await limits.verificationByAccount.consume(viewer.accountId);
    return presentSentSecret(await createPhoneVerification(platform, viewer, limits));
  });

  bind(account.confirmPhoneVerification, async ({ viewer, body, request }) => {
    const confirmed = await trySecret(limits, request.ip, body.userId, async () => {
      // The id of an account is no secret: only its own session uses up the tries of its code.
      if (viewer?.accountId !== body.userId) throw new Problem('user_invalid_token');
      return confirmPhoneVerification(platform, body, readVisit(request));
    });
    return presentSentSecret(confirmed);
  });
}
