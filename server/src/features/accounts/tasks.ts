import { limitByKey } from '../../platform/http/rate-limits.ts';
import { type Mailer, MailRefused } from '../../platform/mail/mailer.ts';
import type { Platform } from '../../platform/platform.ts';
import { tasks } from '../../platform/tasks.ts';
import { mailOf } from './mails.ts';
import { mailPayoutNumberChange } from './payout-number-mail.ts';
import { mailRecovery } from './recovery.ts';
import { removeExpired } from './tokens.ts';
import { resendVerification } from './verification.ts';

/** The jobs of accounts. */
export function accountTasks(
  platform: Pick<Platform, 'config' | 'database' | 'sealer'>,
  mailer: Pick<Mailer, 'send'>,
) {
  const { config, database, sealer } = platform;
  const resendsByAccount = limitByKey(config.rateLimits, { points: 1, seconds: 60 });
  const recoveriesByAccount = limitByKey(config.rateLimits, { points: 10, seconds: 3600 });
  return {
    ...tasks.sendMail.handledBy(async ({ sealed }, { log }) => {
      try {
        await mailer.send(mailOf(sealed, sealer));
      } catch (error) {
        if (!(error instanceof MailRefused)) throw error;
        // Such as an address that does not exist: another try would end alike.
        log.warn({ reason: error.message }, 'a mail cannot be sent');
      }
    }),
    ...tasks.resendConfirmation.handledBy((target) => resendVerification(platform, target, resendsByAccount)),
    ...tasks.mailRecovery.handledBy((request) => mailRecovery(platform, request, recoveriesByAccount)),
    ...tasks.mailPayoutNumberChange.handledBy((change) => mailPayoutNumberChange(platform, change)),
    ...tasks.cleanUpAccounts.handledBy(() => removeExpired(database)),
  };
}
