import { type SQLWrapper, sql } from 'drizzle-orm';

/** Hours for which an order whose outcome is unknown is repeated unchanged under its key. */
const repeatHours = 20;
/** Hours after which the provider has forgotten a key, and nothing that was sent under it is on its way any more. */
const forgottenHours = 24;

/**
 * What the time since the first sending of an order allows: to repeat it, to look for it, or to conclude that what the provider
 * does not have never arrived. An order whose time is not known is only looked for.
 */
export type OrderAge = 'repeatable' | 'unclear' | 'forgotten';

/** `OrderAge` of a stored time by the database's clock. */
export const orderAge = (sentAt: SQLWrapper) =>
  sql<OrderAge>`case when ${sentAt} > now() - make_interval(hours => ${repeatHours}) then 'repeatable'
    when ${sentAt} <= now() - make_interval(hours => ${forgottenHours}) then 'forgotten' else 'unclear' end`;

/** Why an order is followed by another one, and why not yet: what admins read. */
export const orderTexts = {
  unclear:
    'The provider does not have it. What is owed still is sent again once nothing of it can be on its way.',
  forgotten: 'It never arrived at the provider. What is owed still is sent again.',
  doubtful: 'The provider has something else under its name: compare it with the dashboard.',
  unsent: 'An admin says that it never left. What is owed still is sent again.',
} as const;
