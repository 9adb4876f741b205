import * as z from 'zod';
import type { Transaction } from '../database/connect.ts';
import { newId } from '../ids.ts';
import type { Sealer } from '../seal.ts';
import { tasks } from '../tasks.ts';
import { type Mail, MailRefused } from './mailer.ts';

const purpose = 'mail in the job queue';

/** `bulk` of a mail that very many members get at the same minute: it comes after all others. */
type MailOptions = Pick<
  NonNullable<Parameters<typeof tasks.sendMail.enqueue>[2]>,
  'maxAttempts' | 'priority'
>;

/** Has a mail sent once the transaction is committed, under one Message-ID however often it is sent. It waits encrypted: it may hold a secret. */
export async function enqueueMail(
  transaction: Transaction,
  sealer: Sealer,
  mail: Mail,
  options: MailOptions = {},
): Promise<void> {
  await tasks.sendMail.enqueue(
    transaction,
    { sealed: sealer.seal(purpose, { id: newId(), ...mail }) },
    options,
  );
}

const MailFields = z.object({
  ...{ to: z.string(), subject: z.string(), text: z.string(), html: z.string() },
  ...{ id: z.optional(z.string()), unsubscribeUrl: z.optional(z.string()) },
});

/** The mail of a waiting job. @throws MailRefused when another key sealed it: no try will open it. */
export function openMail(sealed: string, sealer: Sealer): Mail {
  const mail = MailFields.safeParse(sealer.open(purpose, sealed));
  if (!mail.success) throw new MailRefused('The mail was encrypted with another server.key.');
  return mail.data;
}
