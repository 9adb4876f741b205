import { nowDate } from '@tara/contract/clock';
import { interactions as calls, type InteractionList } from '@tara/contract/interactions/interactions';
import { eq, sql } from 'drizzle-orm';
import { describe, expect } from 'vitest';
import { insertInteraction, insertPlan } from '../../testing/features/interactions.ts';
import { insertBlock, insertMember, type Member } from '../../testing/features/members.ts';
import { serverTest } from '../../testing/test.ts';
import { escrowRoutes } from '../payments/routes.ts';
import { profiles } from '../profiles/index.ts';
import { interactionRoutes } from './routes.ts';
import { interactions } from './tables.ts';

const at = nowDate();
const fulfilled = { paidAt: at, acceptedAt: at, userSetDoneAt: at };
const completed = { adminSetDoneAt: at, completedAt: at };
const cancelled = { cancelledAt: at, cancelReason: 'withdrawn' as const };

const test = serverTest((app, platform) => {
  interactionRoutes(app, platform);
  escrowRoutes(app, platform);
})
  .extend('admin', { scope: 'file' }, ({ database }) => insertMember(database, { admin: true }))
  .extend('creator', ({ database }) => insertMember(database, { name: 'Ana', verified: true }))
  .extend('client', ({ database }) => insertMember(database, { name: 'Ben', verified: true }))
  .extend(
    'inserted',
    ({ database, creator, client }) =>
      async (state: Partial<typeof interactions.$inferInsert>) =>
        insertInteraction(database, { creator, client, planId: await insertPlan(database, creator) }, state),
  )
  .extend('rename', { scope: 'file' }, ({ database }) => async (who: Member, name: string) => {
    await database.update(profiles).set({ name }).where(eq(profiles.id, who.profileId));
  })
  .extend(
    'end',
    { scope: 'file' },
    ({ database }) =>
      async (id: string, state: Partial<typeof interactions.$inferInsert>) => {
        await database.update(interactions).set(state).where(eq(interactions.id, id));
      },
  )
  /** The names of client and creator, from the request and from the list that contains it. */
  .extend(
    'names',
    { scope: 'file' },
    ({ server }) =>
      async (reader: Member, id: string, list?: InteractionList) => {
        const { reply } = await server.call(reader, calls.interaction, { params: { id } });
        const shown = [reply.whoSentReq.name, reply.creator.name];
        if (list === undefined) return shown;
        const { items } = (await server.call(reader, calls.interactionList, { params: { list } })).reply;
        const listed = items.find((item) => item.id === id);
        expect([listed?.whoSentReq.name, listed?.creator.name]).toEqual(shown);
        return shown;
      },
  );

describe('the names of client and creator', () => {
  test('are those of today while the request is open', async ({
    creator,
    client,
    inserted,
    rename,
    names,
  }) => {
    const [requested, done] = [await inserted({}), await inserted(fulfilled)];
    await rename(client, 'Benjamin');
    await rename(creator, 'Anabel');
    expect(await names(client, requested, 'yourRequest')).toEqual(['Benjamin', 'Anabel']);
    expect(await names(creator, done, 'history')).toEqual(['Benjamin', 'Anabel']);
  });

  test.for([
    ['completed', fulfilled, completed],
    ['cancelled', {}, cancelled],
    ['cancelled and refunded', { paidAt: at }, { ...cancelled, refundedAt: at }],
  ] as const)(
    'stay those of its end once it is %s, for both and an admin',
    async ([_how, before, after], { admin, creator, client, inserted, rename, end, names }) => {
      const id = await inserted(before);
      await rename(client, 'Benjamin');
      await end(id, after);
      await rename(client, 'Benny');
      await rename(creator, 'Anabel');
      for (const reader of [client, creator]) {
        expect(await names(reader, id, 'history')).toEqual(['Benjamin', 'Ana']);
      }
      expect(await names(admin, id)).toEqual(['Benjamin', 'Ana']);
      // Later changes do not change the stored names.
      await end(id, { cardDown: true, updatedAt: nowDate() });
      expect(await names(client, id)).toEqual(['Benjamin', 'Ana']);
    },
  );

  test('are stored by the step that ends it', async ({
    server,
    creator,
    client,
    inserted,
    rename,
    names,
  }) => {
    const id = await inserted({});
    expect((await server.call(creator, calls.cancelRequest, { body: { interactionId: id } })).status).toBe(
      200,
    );
    await rename(client, 'Benny');
    expect(await names(creator, id, 'history')).toEqual(['Ben', 'Ana']);
  });

  test('stay those of its end when the two are hidden from each other later', async ({
    database,
    creator,
    client,
    inserted,
    rename,
    end,
    names,
  }) => {
    const id = await inserted(fulfilled);
    await end(id, completed);
    await rename(client, 'Benny');
    await insertBlock(database, creator, client);
    expect(await names(creator, id)).toEqual(['Ben', 'Ana']);
  });

  test('are those of the block where it ended while the two were hidden, for it is what they saw', async ({
    database,
    creator,
    client,
    inserted,
    rename,
    end,
    names,
  }) => {
    const id = await inserted(fulfilled);
    await insertBlock(database, creator, client);
    await rename(client, 'Benny');
    await rename(creator, 'Anabel');
    await end(id, completed);
    const [row] = await database.select().from(interactions).where(eq(interactions.id, id));
    expect([row?.clientName, row?.creatorName]).toEqual(['Ben', 'Ana']);
    expect((await names(creator, id))[0]).toBe('Ben');
    expect((await names(client, id))[1]).toBe('Ana');
  });
});

test('requests that ended before names were stored get those of today', async ({
  database,
  client,
  inserted,
  rename,
  names,
}) => {
  const id = await inserted(cancelled);
  await database
    .update(interactions)
    .set({ clientName: null, creatorName: null })
    .where(eq(interactions.id, id));
  await rename(client, 'Benny');
  // As the migration does.
  await database
    .update(interactions)
    .set({ completedAt: sql`${interactions.completedAt}` })
    .where(eq(interactions.id, id));
  await rename(client, 'Benjamin');
  expect(await names(client, id)).toEqual(['Benny', 'Ana']);
});
