import { expect } from 'vitest';
import { openLog } from '../../platform/log.ts';
import { insertInteraction, insertPlan } from '../../testing/interactions.ts';
import { insertMember } from '../../testing/members.ts';
import { paymentTest as test } from '../../testing/payment-fixture.ts';
import { reconcile } from './reconcile.ts';

test('does not log a link that the provider does not know in each round, but in one line', async ({
  fixture,
}) => {
  const { database } = fixture;
  const creator = await insertMember(database, { verified: true });
  const client = await insertMember(database, { verified: true });
  const planId = await insertPlan(database, creator);
  const id = await insertInteraction(database, { creator, client, planId }, { linkId: 'link_unknown' });
  const lines: string[] = [];
  const log = openLog({ level: 'info', destination: { write: (line) => void lines.push(line) } });
  for (let round = 0; round < 4; round += 1)
    await reconcile({ ...fixture.context, log }, { settleSeconds: 0 });
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({ itemId: id, err: expect.objectContaining({ status: 404 }) }),
  ]);
});
