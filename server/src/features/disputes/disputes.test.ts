import { disputes as calls, requestCases } from '@tara/contract/money/disputes';
import { eq } from 'drizzle-orm';
import { describe, expect } from 'vitest';
import { ago, disputeTest as test } from '../../testing/features/disputes.ts';
import { insertInteraction, insertPlan } from '../../testing/features/interactions.ts';
import type { Member } from '../../testing/features/members.ts';
import { insertPicture } from '../../testing/features/pictures.ts';
import { fileCan } from '../files/policy.ts';
import { files } from '../files/tables.ts';
import { notifications } from '../notifications/index.ts';
import { disputePhotos } from './tables.ts';

describe('a dispute', () => {
  test('holds both stories, which both parties and an admin read, and waits in the admins’ list (threat-admin-privacy)', async ({
    database,
    server,
    client,
    creator,
    stranger,
    admin,
    held,
    open,
    answer,
  }) => {
    const id = await held({ creatorMetAt: ago(3) });
    const photo = await insertPicture(database, { ownerAccountId: client.accountId });
    const opened = await open(id, client, { imageIds: [photo] });
    expect(opened.reply).toMatchObject({
      request: { stage: 'disputed', disputed: true },
      dispute: { reason: 'absent', client: { text: 'Nobody came.', photos: [{ imageId: photo }] } },
      decision: null,
    });
    expect((await answer(id)).reply.dispute?.creator).toMatchObject({ text: 'I waited.', photos: [] });
    for (const who of [client, creator, admin]) {
      const { reply } = await server.call(who, calls.get, { params: { id } });
      expect(reply.dispute).toMatchObject({
        client: { text: 'Nobody came.' },
        creator: { text: 'I waited.' },
      });
    }
    const { problem } = await server.call(stranger, calls.get, { params: { id } });
    expect(problem.type).toBe('interaction_not_found');
    const { items } = (await server.call(admin, requestCases.disputes)).reply;
    expect(items.find((item) => item.id === id)).toMatchObject({
      steps: ['paid', 'accepted', 'dayWithoutAgreement', 'creatorMet', 'requested', 'disputed'].map((step) =>
        expect.objectContaining({ step }),
      ),
      dispute: { client: { photos: [{ imageId: photo }] } },
    });
    const [file] = await database.select().from(files).where(eq(files.id, photo));
    const sees = ({ accountId }: Member, isAdmin = false) =>
      file && fileCan.see({ accountId, hiddenAccountIds: [], admin: isAdmin }, file);
    expect([sees(client), sees(creator), sees(admin, true), sees(stranger)]).toEqual([
      true,
      true,
      true,
      false,
    ]);
    const rows = await database.select().from(notifications).where(eq(notifications.interactionId, id));
    expect(
      rows
        .map(({ event, profileId }) => `${event} ${profileId === client.profileId ? 'client' : 'creator'}`)
        .sort(),
    ).toEqual(['disputeAnswered client', 'disputed client', 'disputed creator']);
  });

  test.for([
    ['by the creator', {}, 'Only the client can open a dispute.', 'creator'],
    ['before the payment', { paidAt: null }, 'The request is not paid yet.', 'client'],
    ['later than 48 hours after fulfilment', { userSetDoneAt: ago(49) }, /48 hours/, 'client'],
    ['of a free plan', { priceCentavos: 0 }, /free/, 'client'],
    ['while the card issuer disputes the payment', { frozenAt: ago(1) }, /card issuer/, 'client'],
    [
      'after the confirmation',
      { userSetDoneAt: ago(3), adminSetDoneAt: ago(1), completedAt: ago(1) },
      /completed/,
      'client',
    ],
    ['a second time', { disputedAt: ago(1) }, /open dispute/, 'client'],
  ] as const)('cannot be opened %s', async ([, state, text, who], { database, members, open }) => {
    const { creator, client } = members;
    const planId = await insertPlan(database, creator);
    const id = await insertInteraction(
      database,
      { creator, client, planId },
      {
        ...{ paidAt: ago(9), acceptedAt: ago(8) },
        ...state,
      },
    );
    const { problem } = await open(id, members[who]);
    expect(problem).toMatchObject({ type: 'interaction_not_allowed', text: expect.stringMatching(text) });
  });

  test('is possible until 48 hours after fulfilment, and before the creator accepted', async ({
    held,
    open,
  }) => {
    expect((await open(await held({ userSetDoneAt: ago(47) }))).status).toBe(200);
    expect((await open(await held({ acceptedAt: null, dayStartsAt: null }))).status).toBe(200);
  });

  test('refuses what is not a story, photos of others and a second answer', async ({
    database,
    creator,
    client,
    held,
    open,
    answer,
  }) => {
    const id = await held();
    const foreign = await insertPicture(database, { ownerAccountId: creator.accountId });
    expect((await open(id, client, { imageIds: [foreign] })).problem.type).toBe('storage_file_not_found');
    expect((await open(id, client, { story: ' ' })).problem.fields).toEqual({
      story: 'Please say what happened.',
    });
    expect((await answer(id)).problem.type).toBe('interaction_not_allowed');
    expect((await open(id)).status).toBe(200);
    expect((await answer(id, client)).problem.text).toBe('Only the creator answers.');
    const answers = await Promise.all([answer(id), answer(id)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await database.$count(disputePhotos, eq(disputePhotos.interactionId, id))).toBe(0);
  });
});
