import { nowDate } from '@tara/contract/clock';
import { interactions } from '../../features/interactions/index.ts';
import { openChat } from '../../features/messages/index.ts';
import { notifications } from '../../features/notifications/index.ts';
import { plans } from '../../features/plans/index.ts';
import { receiptIdOf } from '../../features/receipts/open.ts';
import { receipts } from '../../features/receipts/tables.ts';
import type { Database } from '../../platform/database/connect.ts';
import { newId, newReferenceNumber } from '../../platform/ids.ts';
import { insertMember, type Member } from './members.ts';
import { insertPicture } from './pictures.ts';

interface Request {
  creator: Member;
  client: Member;
  interactionId: string;
  referenceNumber: string;
}

/** A request of a new client for a new creator's plan, paid unless said otherwise; its parties know how far it is. */
export async function insertRequest(
  database: Database,
  state: Partial<typeof interactions.$inferInsert> = { paidAt: nowDate() },
): Promise<Request> {
  const creator = await insertMember(database, { verified: true });
  const client = await insertMember(database);
  const planId = newId();
  const imageId = await insertPicture(database, { ownerAccountId: creator.accountId });
  await database.insert(plans).values({
    id: planId,
    creatorId: creator.profileId,
    title: 'Walk',
    priceCentavos: 100_00,
    imageId,
    terms: 'We meet in a public place.',
  });
  const interactionId = newId();
  const referenceNumber = newReferenceNumber();
  await database.insert(interactions).values({
    id: interactionId,
    planId,
    planTitle: 'Walk',
    creatorId: creator.profileId,
    clientId: client.profileId,
    priceCentavos: 100_00,
    referenceNumber,
    ...state,
  });
  const parties = [creator, client];
  const events = { paid: state.paidAt, accepted: state.acceptedAt };
  for (const [index, [event, at]] of Object.entries(events).entries()) {
    const createdAt = new Date((at?.getTime() ?? 0) + index);
    const row = {
      ...{ interactionId, event, createdAt, deliveredAt: createdAt },
      ...{ groupName: 'plans', inApp: true, readAt: createdAt },
    };
    if (at)
      await database.insert(notifications).values(parties.map(({ profileId }) => ({ ...row, profileId })));
  }
  return { creator, client, interactionId, referenceNumber };
}

/** A paid request whose chat is open; `chatId` is the receipt's id. */
export async function insertChat(database: Database): Promise<Request & { chatId: string }> {
  const request = await insertRequest(database);
  const { creator, client, interactionId, referenceNumber } = request;
  const chatId = receiptIdOf(creator.profileId, client.profileId, referenceNumber);
  await database.insert(receipts).values({
    id: chatId,
    interactionId,
    creatorId: creator.profileId,
    clientId: client.profileId,
    creatorAccountId: creator.accountId,
    clientAccountId: client.accountId,
  });
  await database.transaction((transaction) =>
    openChat(transaction, {
      ...{ id: chatId, kind: 'receipt', expiresAt: null, awaitsId: null },
      first: { id: creator.profileId, accountId: creator.accountId },
      second: { id: client.profileId, accountId: client.accountId },
    }),
  );
  return { ...request, chatId };
}
