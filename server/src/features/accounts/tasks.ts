import { eq } from 'drizzle-orm';
import * as z from 'zod';
import { limitByKey } from '../../platform/http/rate-limits.ts';
import { longDateTime } from '../../platform/local-time.ts';
import { type Mailer, MailRefused, mailFailure } from '../../platform/mail/mailer.ts';
import { openMail } from '../../platform/mail/queue.ts';
import type { Platform } from '../../platform/platform.ts';
import { tasks } from '../../platform/tasks.ts';
import { type AccountLimits, accountLimits } from './limits.ts';
import { mailOwner } from './mails.ts';
import { openSms } from './phone.ts';
import { mailRecovery } from './recovery.ts';
import { removeExpired } from './secrets.ts';
import { accounts } from './tables.ts';
import { resendVerification } from './verification.ts';

/** Mails a member that the phone number of their payouts changed, so that they notice a change by somebody else. */
async function mailPayoutNumberChange(
  { database, sealer, config }: Pick<Platform, 'database' | 'sealer' | 'config'>,
  { accountId, from }: { accountId: string; from: string },
): Promise<void> {
  const [account] = await database
    .select({ email: accounts.email, emailVerifiedAt: accounts.emailVerifiedAt, name: accounts.name })
    .from(accounts)
    .where(eq(accounts.id, accountId));
  if (account === undefined) return;
  const template = {
    subject: 'Your phone number for payouts changed',
    why: `The phone number that receives your payouts was changed. Payouts wait until ${longDateTime.format(new Date(from))} (Philippine time), then they go to the new number.`,
    button: 'See my phone number',
    otherwise:
      'If it was not you, set a new password now, which signs out every other device, and put your number right.',
  };
  const link = `${config.publicUrl}/update-profile?tab=info`;
  await database.transaction((transaction) => mailOwner(transaction, sealer, account, link, template));
}

/** One text to one phone, E.164. */
export interface Sms {
  to: string;
  text: string;
}

/** Sends texts. Sending is outside work: do it in a job. */
export interface SmsSender {
  send(sms: Sms): Promise<void>;
}

const SmsFields = z.object({ to: z.string(), text: z.string() });

/**
 * The jobs of accounts. `sms` is null where no text can be sent: then no call asks for one. `limits` are those of the calls;
 * new ones unless given.
 */
export function accountTasks(
  platform: Pick<Platform, 'config' | 'database' | 'sealer' | 'bus'>,
  mailer: Pick<Mailer, 'send'>,
  sms: SmsSender | null = null,
  limits: AccountLimits = accountLimits(platform.config.rateLimits),
) {
  const { config, database, sealer } = platform;
  const resendsByAccount = limitByKey(config.rateLimits, { points: 1, seconds: 60 });
  return {
    ...tasks.sendMail.handledBy(async ({ sealed }, { log }) => {
      try {
        await mailer.send(openMail(sealed, sealer));
      } catch (error) {
        if (!(error instanceof MailRefused)) throw mailFailure(error);
        // Such as an address that does not exist: another try would end alike.
        log.warn({ reason: error.message }, 'a mail cannot be sent');
      }
    }),
    ...tasks.sendSms.handledBy(async ({ sealed }, { log }) => {
      const message = SmsFields.safeParse(openSms(sealer, sealed));
      if (sms !== null && message.success)
        return sms.send(message.data).catch((error: unknown) => {
          throw mailFailure(error, 'text');
        });
      log.warn('a text cannot be sent: another server.key encrypted it, or nothing sends texts any more');
    }),
    ...tasks.resendConfirmation.handledBy((target) =>
      resendVerification(platform, target, { ...limits, resendsByAccount }),
    ),
    ...tasks.mailRecovery.handledBy((request) => mailRecovery(platform, request, limits)),
    ...tasks.mailPayoutNumberChange.handledBy((change) => mailPayoutNumberChange(platform, change)),
    ...tasks.cleanUpAccounts.handledBy((_job, helpers) => removeExpired(database, helpers)),
  };
}
