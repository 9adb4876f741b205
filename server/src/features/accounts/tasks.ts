import * as z from 'zod';
import { limitByKey } from '../../platform/http/rate-limits.ts';
import type { Task } from '../../platform/jobs/start.ts';
import { type Mailer, MailRefused } from '../../platform/mail/mailer.ts';
import type { Platform } from '../../platform/platform.ts';
import { mailOf } from './mails.ts';
import { mailPayoutNumberChange } from './payout-number-mail.ts';
import { mailRecovery } from './recovery.ts';
import { removeExpired } from './tokens.ts';
import { resendVerification } from './verification.ts';

const Resend = z.union([z.object({ accountId: z.string() }), z.object({ username: z.string() })]);
const Recovery = z.object({
  email: z.string(),
  url: z.string(),
  visit: z.object({ ip: z.string(), userAgent: z.string() }),
});

/** The jobs of accounts. `accounts.cleanUp` is for the crontab, daily. */
export function accountTasks(
  platform: Pick<Platform, 'config' | 'database' | 'sealer'>,
  mailer: Pick<Mailer, 'send'>,
): Record<string, Task> {
  const { config, database, sealer } = platform;
  const resendsByAccount = limitByKey(config.rateLimits, { points: 1, seconds: 60 });
  const recoveriesByAccount = limitByKey(config.rateLimits, { points: 10, seconds: 3600 });
  return {
    'accounts.mail': async (payload, { log }) => {
      try {
        await mailer.send(mailOf(payload, sealer));
      } catch (error) {
        if (!(error instanceof MailRefused)) throw error;
        // Such as an address that does not exist: another try would end alike.
        log.warn({ reason: error.message }, 'a mail cannot be sent');
      }
    },
    'accounts.resend': (payload) => resendVerification(platform, Resend.parse(payload), resendsByAccount),
    'accounts.recovery': (payload) => mailRecovery(platform, Recovery.parse(payload), recoveriesByAccount),
    'accounts.payoutNumberChanged': (payload) => mailPayoutNumberChange(platform, payload),
    'accounts.cleanUp': () => removeExpired(database),
  };
}
