import { nowDate } from '@tara/contract/clock';
import { unsentBody } from '@tara/contract/notices';
import { eq } from 'drizzle-orm';
import { describe, expect } from 'vitest';
import { interactions } from '../../features/interactions/index.ts';
import { chats, storeLines } from '../../features/messages/index.ts';
import { blocks } from '../../features/visibility/index.ts';
import { newId } from '../../platform/ids.ts';
import { documentsTest, refused, sdks } from '../../testing/backend/documents.ts';
import { insertBlock } from '../../testing/features/members.ts';
import { insertPicture } from '../../testing/features/pictures.ts';
import { insertRequest } from '../../testing/features/receipts.ts';
import { addMember, openSession } from '../../testing/features/sessions.ts';

const structure = (field: string) =>
  refused(400, 'document_invalid_structure', expect.stringContaining(field));
const notFound = refused(404, 'document_not_found');
const unauthorized = refused(401, 'user_unauthorized');

const ways = [
  ['', documentsTest()],
  [', with chats read as on a Citus cluster', documentsTest({ sharded: true })],
] as const;
const cases = ways.flatMap(([way, base]) =>
  sdks.map(([name, openSdk]) => [`${name}${way}`, openSdk, base] as const),
);

describe.each(cases)('%s', (_name, openSdk, base) => {
  const test = base.extend(
    'as',
    ({ backend }) =>
      (who: { secret: string }) =>
        openSdk(backend.url, who),
  );

  test('a conversation: begun, found by its key, written in, read, and kept from others, as is each one’s list of conversations (§6-records-conversation-owner, §3-conversation-owner)', async ({
    connection,
    as,
  }) => {
    const [ana, ben, cora] = [
      await addMember(connection, { name: 'Ana Cruz' }),
      await addMember(connection, { name: 'Ben Reyes' }),
      await addMember(connection, { name: 'Cora Lim' }),
    ];
    const [asAna, asBen, asCora] = [as(ana), as(ben), as(cora)];
    const { query } = asAna;
    const mixId = ana.accountId + ben.accountId;
    const accountIds = [ana.accountId, ben.accountId];
    const creators = [ana.profileId, ben.profileId];
    await expect(
      asAna.create('conversations', 'unique()', { creators, mixId: ana.accountId }),
    ).rejects.toEqual(structure('mixId'));
    const begun = await asAna.create('conversations', 'unique()', { creators, mixId, accountIds });
    expect(begun).toMatchObject({
      $collectionId: 'conversations',
      $permissions: [ana, ben]
        .map(({ accountId }) => `read("user:${accountId}")`)
        .concat([ana, ben].map(({ accountId }) => `update("user:${accountId}")`))
        .concat([ana, ben].map(({ accountId }) => `delete("user:${accountId}")`)),
      mixId,
      creators: [ana.profileId, ben.profileId],
      accountIds: [ana.accountId, ben.accountId],
      removeExpired: false,
      preview: '',
      request: 'sent',
      lastSequence: 0,
    });
    const convoId = begun.$id;
    await expect(
      asAna.create('conversations', 'unique()', { creators: [ben.profileId, cora.profileId] }),
    ).rejects.toEqual(structure('creator1'));
    // Begun again it is the same.
    const again = await asBen.create('conversations', 'unique()', {
      creators: [ana.profileId, ben.profileId],
    });
    expect(again).toMatchObject({ $id: convoId, request: 'received' });
    for (const mine of [asAna, asBen]) {
      expect((await mine.list('conversations', [query.equal('mixId', mixId)])).documents).toHaveLength(1);
    }
    expect((await asCora.list('conversations')).total).toBe(0);
    await expect(asCora.get('conversations', convoId)).rejects.toEqual(notFound);

    const first = await asAna.create('chats', 'first', {
      ...{ convoId, mixId, body: ' Hello ', creator: ana.profileId, imageId: '' },
    });
    expect(first).toMatchObject({
      body: 'Hello',
      convoId,
      chatId: convoId,
      mixId,
      name: 'Ana Cruz',
      creator: { $id: ana.profileId, name: 'Ana Cruz' },
      imageId: null,
      imageUrl: null,
      admin: false,
      unsent: false,
      sequence: 1,
    });
    // The same id is the same message.
    expect(await asAna.create('chats', 'first', { convoId, body: 'Hello' })).toEqual(first);
    for (const body of ['Hi', 'How are you?']) await asBen.create('chats', 'unique()', { convoId, body });
    const page = await asAna.list('chats', [
      query.equal('convoId', convoId),
      query.orderDesc('$createdAt'),
      query.limit(2),
    ]);
    expect(page).toMatchObject({ total: 3, documents: [{ body: 'How are you?' }, { body: 'Hi' }] });
    const rest = await asAna.list('chats', [
      query.equal('convoId', convoId),
      query.orderDesc('$createdAt'),
      query.cursorAfter(page.documents[1]?.$id ?? ''),
    ]);
    expect(rest.documents).toEqual([first]);
    expect((await asCora.list('chats', [query.equal('convoId', convoId)])).total).toBe(0);
    await expect(asCora.get('chats', first.$id)).rejects.toEqual(notFound);
    await expect(asCora.create('chats', 'unique()', { convoId, body: 'Me too' })).rejects.toEqual(notFound);
    for (const data of [{ convoId, body: ' ' }, { body: 'Hello' }, { convoId, body: 'x', sequence: 9 }])
      await expect(asAna.create('chats', 'unique()', data)).rejects.toEqual(
        refused(400, 'document_invalid_structure'),
      );
    await expect(
      asAna.create('chats', 'unique()', { convoId, body: 'x', creator: ben.profileId }),
    ).rejects.toEqual(structure('creator'));

    await expect(asAna.update('conversations', convoId, { removeExpired: true })).rejects.toEqual(
      structure('removeExpired'),
    );
    // Answered, it is no request any more.
    expect(await asAna.update('conversations', convoId, { read: 2 })).toMatchObject({
      read: 2,
      lastSequence: 3,
      request: null,
    });
    expect(await asBen.get('conversations', convoId)).toMatchObject({ read: 0, preview: 'How are you?' });

    // Taken back by its author alone, as the original does and as a deletion.
    await expect(asBen.update('chats', first.$id, { body: unsentBody })).rejects.toEqual(unauthorized);
    await expect(asAna.update('chats', first.$id, { body: 'Other' })).rejects.toEqual(structure('body'));
    const unsent = await asAna.update('chats', first.$id, { body: unsentBody, imageUrl: '', imageId: '' });
    expect(unsent).toMatchObject({ body: unsentBody, unsent: true });
    await expect(asBen.delete('chats', first.$id)).rejects.toEqual(unauthorized);
    await asBen.delete('chats', page.documents[0]?.$id ?? '');
    expect(await asAna.get('conversations', convoId)).toMatchObject({ preview: unsentBody });

    await expect
      .poll(() => asAna.get('conversationOwners', ana.profileId))
      .toMatchObject({ owner: ana.profileId, conversations: [convoId], unread: 1 });
    expect((await asAna.list('conversationOwners')).documents.map(({ $id }) => $id)).toEqual([ana.profileId]);
    await expect(asAna.get('conversationOwners', ben.profileId)).rejects.toEqual(notFound);
    const { $updatedAt } = await asAna.get('conversationOwners', ana.profileId);
    await asAna.delete('conversations', convoId);
    const emptied = await asAna.get('conversationOwners', ana.profileId);
    expect(emptied).toMatchObject({ conversations: [], unread: 0 });
    expect(emptied.$updatedAt >= $updatedAt).toBe(true);
    expect(await asAna.get('conversations', convoId)).toMatchObject({ $id: convoId });
    expect(await asBen.get('conversationOwners', ben.profileId)).toMatchObject({ conversations: [convoId] });
  });

  test.for(['who began it', 'with whom it was begun'] as const)(
    'after a block a conversation is read by the member who blocked alone, by name only: the one %s',
    async (who, { connection, database, backend, as }) => {
      const [ana, ben] = [await addMember(connection), await addMember(connection, { name: 'Ben Reyes' })];
      const [asAna, asBen] = [as(ana), as(ben)];
      const [first, second] = who === 'who began it' ? [ana, ben] : [ben, ana];
      const { $id: convoId } = await as(first).create('conversations', 'unique()', {
        creators: [first.profileId, second.profileId],
      });
      const sent = await asBen.create('chats', 'unique()', { convoId, body: 'Rude' });
      await insertBlock(database, ana, ben);
      for (const { accountId } of [ana, ben]) backend.platform.bus.publish('viewerChanged', { accountId });
      await null;
      const shown = await asAna.get('conversations', convoId);
      const unlessHidden = (id: string) => (id === ben.profileId || id === ben.accountId ? '' : id);
      expect(shown).toMatchObject({
        creators: [first.profileId, second.profileId].map(unlessHidden),
        accountIds: [first.accountId, second.accountId].map(unlessHidden),
      });
      expect(JSON.stringify(shown.$permissions)).not.toContain(ben.accountId);
      expect(await asAna.get('chats', sent.$id)).toMatchObject({
        body: 'Rude',
        creator: null,
        name: 'Ben Reyes',
      });
      expect((await asAna.list('conversations')).total).toBe(0);
      const inConversation = [asBen.query.equal('convoId', convoId)];
      expect((await asAna.list('chats', inConversation)).total).toBe(1);
      for (const [collection, id] of [
        ['conversations', convoId],
        ['chats', sent.$id],
      ] as const)
        await expect(asBen.get(collection, id)).rejects.toEqual(notFound);
      expect((await asBen.list('chats', inConversation)).total).toBe(0);
      expect(await asBen.get('conversationOwners', ben.profileId)).toMatchObject({ conversations: [] });
    },
  );

  test('a plan chat: opened once paid, with lines of Tara, for its two members alone', async ({
    database,
    backend,
    as,
    cora,
  }) => {
    const request = await insertRequest(database);
    const signIn = async ({ accountId }: { accountId: string }) =>
      as({ secret: await openSession({ database }, accountId) });
    const [asCreator, asClient, asCora] = [
      await signIn(request.creator),
      await signIn(request.client),
      as(cora),
    ];
    const { interactionId, creator, client } = request;
    await expect(asCora.create('conversationReceipts', 'unique()', { interactionId })).rejects.toEqual(
      notFound,
    );
    const accountIds = { creatorAccountId: creator.accountId, clientAccountId: client.accountId };
    await expect(
      asClient.create('conversationReceipts', 'unique()', {
        ...{ interactionId, ...accountIds, creatorAccountId: client.accountId },
      }),
    ).rejects.toEqual(structure('creatorAccountId'));
    const opened = await asClient.create('conversationReceipts', 'unique()', {
      interactionId,
      ...accountIds,
    });
    const chatId = creator.profileId.slice(0, 5) + client.profileId.slice(0, 5) + request.referenceNumber;
    expect(opened).toMatchObject({
      $id: chatId,
      convoId: chatId,
      interactionId,
      creatorAccountId: creator.accountId,
      clientAccountId: client.accountId,
    });
    expect(await asCreator.get('conversationReceipts', chatId)).toMatchObject({ $id: chatId });
    await expect(asCora.get('conversationReceipts', chatId)).rejects.toEqual(notFound);
    await expect(asClient.delete('conversationReceipts', chatId)).rejects.toEqual(unauthorized);
    await database.transaction((transaction) =>
      storeLines(transaction, [{ chatId, body: 'Take care', clientKey: newId() }]),
    );
    const imageId = await insertPicture(database, {
      ...{ ownerAccountId: client.accountId, bucket: 'messageFiles', usedAt: null },
    });
    const sent = await asClient.create('chatReceipts', 'unique()', {
      conversationReceiptId: chatId,
      imageId,
    });
    expect(sent).toMatchObject({
      body: '',
      imageId,
      imageUrl: expect.stringContaining(`/messageFiles/files/${imageId}/preview`),
      userId: client.profileId,
      name: client.name,
    });
    const { query } = asCreator;
    const { documents } = await asCreator.list('chatReceipts', [
      query.equal('conversationReceiptId', chatId),
      query.equal('admin', true),
    ]);
    const line = documents.find(({ body }) => body === 'Take care');
    expect(line).toMatchObject({ userId: null, name: 'Tara', admin: true });
    await expect(asCreator.delete('chatReceipts', line?.$id ?? '')).rejects.toEqual(unauthorized);
    await expect(asCora.get('chatReceipts', sent.$id)).rejects.toEqual(notFound);
    await expect(asCreator.get('chats', sent.$id)).rejects.toEqual(notFound);
    // Taken back as a whole, not its picture alone.
    expect(await asClient.update('chatReceipts', sent.$id, { imageId: '' })).toMatchObject({
      ...{ unsent: false, imageId },
    });
    await asClient.delete('chatReceipts', sent.$id);
    expect(await asCreator.get('chatReceipts', sent.$id)).toMatchObject({
      unsent: true,
      imageId: null,
      imageUrl: null,
    });

    // Between two of whom one blocked the other it stays readable while the request is open, without accounts.
    await insertBlock(database, client, creator);
    for (const { accountId } of [creator, client])
      backend.platform.bus.publish('viewerChanged', { accountId });
    await null;
    const shown = await asCreator.get('conversationReceipts', chatId);
    expect(shown).toMatchObject({ creatorAccountId: creator.accountId, clientAccountId: '' });
    expect(await asCreator.get('chatReceipts', sent.$id)).toMatchObject({ userId: null });
    expect(JSON.stringify(shown)).not.toContain(client.accountId);

    // When the request is over neither reads it.
    await database
      .update(interactions)
      .set({ cancelledAt: nowDate(), cancelReason: 'withdrawn' })
      .where(eq(interactions.id, interactionId));
    await database.update(chats).set({ closedAt: nowDate() }).where(eq(chats.id, chatId));
    for (const asParty of [asCreator, asClient]) {
      await expect(asParty.get('conversationReceipts', chatId)).rejects.toEqual(notFound);
      expect((await asParty.list('conversationReceipts')).total).toBe(0);
      await expect(asParty.get('chatReceipts', sent.$id)).rejects.toEqual(notFound);
      const inChat = [query.equal('conversationReceiptId', chatId)];
      expect((await asParty.list('chatReceipts', inChat)).total).toBe(0);
    }

    // Who is hidden beside the two changes nothing.
    await database.delete(blocks).where(eq(blocks.blockerId, client.profileId));
    await insertBlock(database, client, await addMember({ database }));
    backend.platform.bus.publish('viewerChanged', { accountId: client.accountId });
    await null;
    expect(await asClient.get('conversationReceipts', chatId)).toMatchObject({ $id: chatId });
    expect(await asClient.get('chatReceipts', sent.$id)).toMatchObject({ $id: sent.$id });
  });

  test('only paid requests have a plan chat', async ({ database, as }) => {
    const { client, interactionId } = await insertRequest(database, {});
    const asClient = as({ secret: await openSession({ database }, client.accountId) });
    await expect(asClient.create('conversationReceipts', 'unique()', { interactionId })).rejects.toEqual(
      expect.objectContaining({ type: 'interaction_not_allowed' }),
    );
  });
});
