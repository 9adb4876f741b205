import { notificationGroups } from '@tara/contract/notifications/groups';
import { type UnsubscribeTopic, unsubscribeTopics } from '@tara/contract/notifications/unsubscribe';
import { and, eq, isNull } from 'drizzle-orm';
import * as z from 'zod';
import type { Platform } from '../../platform/platform.ts';
import { Problem } from '../../platform/problem.ts';
import type { Sealer } from '../../platform/seal.ts';
import { accounts } from '../accounts/index.ts';
import { profiles } from '../profiles/index.ts';
import { choiceKey } from './choices.ts';
import { switchOff } from './settings.ts';

const purpose = 'link that unsubscribes';
const Content = z.tuple([z.string()], z.enum(unsubscribeTopics));

/** The token of an email, by which its reader ends these emails to the member, and can do nothing else. */
export const unsubscribeToken = (
  sealer: Sealer,
  profileId: string,
  topics: readonly UnsubscribeTopic[],
): string => sealer.seal(purpose, [profileId, ...topics]);

/** @throws Problem `unsubscribe_link_not_found` for a token that this server did not seal. */
function openToken(sealer: Sealer, token: string): { profileId: string; topics: UnsubscribeTopic[] } {
  const content = Content.safeParse(sealer.open(purpose, token));
  if (!content.success) throw new Problem('unsubscribe_link_not_found');
  const [profileId, ...topics] = content.data;
  return { profileId, topics };
}

/** What the link of an email ends. @throws Problem `unsubscribe_link_not_found` */
export const readTopics = (sealer: Sealer, token: string): { topics: UnsubscribeTopic[] } => ({
  topics: openToken(sealer, token).topics,
});

/** Ends the emails of a link; those to a member who left have ended. @throws Problem `unsubscribe_link_not_found` */
export async function endEmails(
  { database, sealer }: Pick<Platform, 'database' | 'sealer'>,
  token: string,
): Promise<void> {
  const { profileId, topics } = openToken(sealer, token);
  const keys = topics.flatMap((topic) =>
    topic !== 'dailyEmail' && notificationGroups[topic].canSwitchOff ? [choiceKey(topic, 'email')] : [],
  );
  await database.transaction(async (transaction) => {
    const [reader] = await transaction
      .select({ id: profiles.id })
      .from(profiles)
      .innerJoin(accounts, eq(accounts.id, profiles.accountId))
      .where(and(eq(profiles.id, profileId), isNull(accounts.deletedAt), isNull(profiles.deletedAt)));
    if (reader === undefined) return;
    await switchOff(transaction, profileId, keys, topics.includes('dailyEmail') ? { dailyEmail: false } : {});
  });
}
