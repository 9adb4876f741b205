import { accounts } from '@tara/contract/accounts/accounts';
import { secondFactor } from '@tara/contract/accounts/second-factor';
import type { FastifyInstance } from 'fastify';
import { addressKey } from '../../platform/http/client-address.ts';
import { serve } from '../../platform/http/serve.ts';
import type { Platform } from '../../platform/platform.ts';
import { giveConsent } from './consent.ts';
import { signUp } from './create.ts';
import { confirmPassword } from './current-password.ts';
import { demoAccounts } from './demo.ts';
import { readVisit } from './events.ts';
import { type AccountLimits, clearMessages, limitSignUp, trySecret } from './limits.ts';
import { openProviders } from './oauth-providers.ts';
import { sessionContext } from './read.ts';
import { dismissWarning } from './sanctions.ts';
import {
  beginSecondFactor,
  confirmSecondFactor,
  renewRecoveryCodes,
  secondFactorStatus,
  setUpSecondFactor,
} from './second-factor.ts';
import { accountSettings, cancelEmailChange, endOtherSessions, updateUsername } from './settings.ts';
import { claimByConfirmation, readConfirmation, requestResend } from './verification.ts';

/** Binds the account calls that are not the backend service's; `isFilling`: whether the demo world is being made. */
export function accountRoutes(
  app: FastifyInstance,
  platform: Platform,
  limits: AccountLimits,
  isFilling = () => false,
): void {
  const { bus, config, database } = platform;

  serve(app, accounts.session, ({ viewer }) => sessionContext(database, viewer));

  serve(app, accounts.signUp, async ({ body, request }) => {
    await limitSignUp(limits, request.ip);
    const { id } = await signUp(database, { ...body, hasConsented: true }, readVisit(request));
    return { id };
  });

  serve(app, accounts.consent, ({ viewer, body, request }) =>
    giveConsent(platform, viewer, body, readVisit(request)),
  );

  serve(app, accounts.resendVerification, async ({ body, viewer, request }) => {
    if (viewer !== null) {
      await limits.resendByAccount.consume(viewer.accountId);
      return requestResend(database, { accountId: viewer.accountId });
    }
    await limits.resendByAddress.consume(request.ip);
    await limits.resendByUsername.consume(`${addressKey(request.ip)} ${body.username.toLowerCase()}`);
    return requestResend(database, { username: body.username });
  });

  serve(app, accounts.readConfirmation, ({ body, request }) =>
    trySecret(limits, request.ip, body.userId, () => readConfirmation(database, body)),
  );

  serve(app, accounts.claim, async ({ body, request }) => {
    await trySecret(limits, request.ip, body.userId, () =>
      claimByConfirmation(database, body, readVisit(request)),
    );
    await clearMessages(limits, database, body.userId);
    bus.publish('viewerChanged', { accountId: body.userId });
  });

  serve(app, accounts.settings, ({ viewer }) => accountSettings(database, viewer));

  serve(app, accounts.updateUsername, ({ viewer, body }) => updateUsername(platform, viewer, body.username));

  serve(app, accounts.cancelEmailChange, ({ viewer }) => cancelEmailChange(database, viewer));

  serve(app, accounts.endOtherSessions, ({ viewer, request }) =>
    endOtherSessions(platform, viewer, readVisit(request)),
  );

  serve(app, accounts.dismissWarning, ({ viewer }) => dismissWarning(database, viewer));

  serve(app, accounts.confirmPassword, ({ viewer, body, request }) =>
    confirmPassword(platform, viewer, body.password, readVisit(request), limits),
  );

  serve(app, secondFactor.status, ({ viewer }) => secondFactorStatus(database, viewer));

  serve(app, secondFactor.begin, async ({ viewer, reply }) => {
    reply.header('cache-control', 'no-store');
    return beginSecondFactor(platform.sealer, viewer);
  });

  serve(app, secondFactor.setUp, ({ viewer, body, request, reply }) => {
    reply.header('cache-control', 'no-store');
    return setUpSecondFactor(platform, viewer, body, readVisit(request));
  });

  serve(app, secondFactor.confirm, ({ viewer, body, request }) =>
    confirmSecondFactor(platform, viewer, body.code, readVisit(request), limits),
  );

  serve(app, secondFactor.renewRecoveryCodes, ({ viewer, request, reply }) => {
    reply.header('cache-control', 'no-store');
    return renewRecoveryCodes(database, viewer, readVisit(request));
  });

  const providers = [...openProviders(config)].map(([name, { title }]) => ({ name, title }));
  serve(app, accounts.demo, async () => ({
    accounts: config.empty ? [] : await demoAccounts(platform),
    isFilling: isFilling(),
    providers,
  }));
}
