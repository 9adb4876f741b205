import * as z from 'zod';
import { limitByKey } from '../../platform/http/rate-limits.ts';
import { type Mailer, MailRefused, mailFailure } from '../../platform/mail/mailer.ts';
import { openMail } from '../../platform/mail/queue.ts';
import type { Platform } from '../../platform/platform.ts';
import { tasks } from '../../platform/tasks.ts';
import { type AccountLimits, accountLimits } from './limits.ts';
import { openSms } from './phone.ts';
import { mailRecovery } from './recovery.ts';
import { removeExpired } from './secrets.ts';
import { resendVerification } from './verification.ts';

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
  platform: Pick<Platform, 'config' | 'database' | 'sealer' | 'bus' | 'openCounter'>,
  mailer: Pick<Mailer, 'send'>,
  sms: SmsSender | null = null,
  limits: AccountLimits = accountLimits(platform.config.rateLimits, platform.openCounter),
) {
  const { config, database, sealer, openCounter: open } = platform;
  const counting = { open, name: 'resendsByAccount' };
  const resendsByAccount = limitByKey(config.rateLimits, { points: 1, seconds: 60 }, counting);
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
    ...tasks.cleanUpAccounts.handledBy((_job, helpers) => removeExpired(database, helpers)),
  };
}
