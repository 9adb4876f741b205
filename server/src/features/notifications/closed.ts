import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { notificationRecipients } from './tables.ts';

/** Whether a member is banned, suspended or about to leave: nobody is notified of what that member did. */
export const isClosedMember = (profileId: SQLWrapper | string | null): SQL<boolean> => sql`exists (
  select from ${notificationRecipients} where ${notificationRecipients.profileId} = ${profileId}
    and ${notificationRecipients.isClosed})`;

/** Whether a member can use Tara. */
export const isActiveMember = (profileId: SQLWrapper): SQL<boolean> => sql`exists (
  select from ${notificationRecipients} where ${notificationRecipients.profileId} = ${profileId}
    and not ${notificationRecipients.isClosed})`;
