import { nowDate } from '@tara/contract/clock';
import { interactions } from '@tara/server/features/interactions/index';
import { chatEntryProgress } from '@tara/server/features/messages/index';
import type { Database } from '@tara/server/platform/database/connect';
import { insertPlan } from '@tara/server/testing/features/interactions';
import { insertMember, type Member } from '@tara/server/testing/features/members';
import { openSession } from '@tara/server/testing/features/sessions';
import { type World as Lives, openWorld as openLives } from '../lives/world.ts';

/** Three people: the first has a paid plan with the second, and one that is not paid yet with the third; those two are strangers. */
interface People {
  members: readonly [Member, Member, Member];
}

/** What all lives of chats share. */
export type World = Lives & People;

/** The request that is paid, whose chat can be opened, and the one that is not. */
export const requestIds = { paid: 'paid-plan', unpaid: 'unpaid-plan' } as const;

/** Makes a database simulated that has every migration and no rows. */
export const openWorld = (url: string): Promise<World> => openLives(url, insertPeople);

async function insertPeople(database: Database): Promise<People> {
  const insert = async (name: string): Promise<Member> => {
    const accountId = `${name}-account`;
    const person = { id: name, accountId, name, email: `${name}@example.com`, verified: true };
    const member = await insertMember(database, person);
    return { ...member, secret: await openSession({ database }, accountId) };
  };
  const [ana, ben, cora] = [await insert('ana'), await insert('ben'), await insert('cora')];
  const planId = await insertPlan(database, ana);
  for (const [id, client, state] of [
    [requestIds.paid, ben, { paidAt: nowDate() }],
    [requestIds.unpaid, cora, { acceptedAt: nowDate() }],
  ] as const)
    await database.insert(interactions).values({
      ...{ id, planId, planTitle: 'Walk', creatorId: ana.profileId, clientId: client.profileId },
      ...{ priceCentavos: 100_00, referenceNumber: id, ...state },
    });
  // The migration stored when the computer ran it.
  await database.update(chatEntryProgress).set({ savedThrough: nowDate() });
  return { members: [ana, ben, cora] };
}
