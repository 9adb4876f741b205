import { eq } from 'drizzle-orm';
import type { Platform } from '../../platform/platform.ts';
import { composeMail, enqueueMail } from './mails.ts';
import { accounts } from './tables.ts';

/** People of this product live in one time zone. */
const dateTime = new Intl.DateTimeFormat('en-PH', {
  timeZone: 'Asia/Manila',
  dateStyle: 'long',
  timeStyle: 'short',
});

/** Tells a member that the phone number of their payouts changed, so that they notice when it was not them. */
export async function mailPayoutNumberChange(
  { database, sealer, config }: Pick<Platform, 'database' | 'sealer' | 'config'>,
  { accountId, from }: { accountId: string; from: string },
): Promise<void> {
  const [account] = await database
    .select({ email: accounts.email, name: accounts.name })
    .from(accounts)
    .where(eq(accounts.id, accountId));
  if (!account) return;
  const mail = composeMail(account.email, account.name, `${config.publicUrl}/update-profile?tab=info`, {
    subject: 'Your phone number for payouts changed',
    why: `The phone number that receives your payouts was changed. Payouts wait until ${dateTime.format(new Date(from))} (Philippine time), then they go to the new number.`,
    button: 'See my phone number',
    lifetime: '',
    otherwise:
      'If it was not you, set a new password now, which signs out every other device, and put your number right.',
  });
  await database.transaction((transaction) => enqueueMail(transaction, sealer, mail));
}
