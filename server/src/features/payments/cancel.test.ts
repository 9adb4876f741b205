import { eq } from 'drizzle-orm';
import { expect } from 'vitest';
import { newScene, waitFor } from '../../testing/scene.ts';
import { tillTest as test } from '../../testing/till.ts';
import { refunds } from './tables.ts';

test.for([
  ['the client withdraws', 'client', false],
  ['the creator declines', 'creator', false],
  ['the creator cancels what was accepted', 'creator', true],
] as const)(
  'a payment of 750 pesos is owed back in full, once, when %s (§7-cancel-request)',
  async ([, by, isAccepted], { till }) => {
    const scene = await newScene(till);
    const id = await scene.requested(750_00);
    await scene.payFor(id);
    await expect.poll(async () => (await scene.row(id)).paidAt, waitFor).not.toBeNull();
    if (isAccepted) await scene.step(scene.creator, 'acceptRequest', id);
    const answers = await Promise.all([1, 2].map(() => scene.step(scene[by], 'cancelRequest', id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const { reply } = answers.find(({ status }) => status === 200) ?? expect.fail();
    expect(reply).toMatchObject({ cancelled: true, money: { amount: 750, refunded: 750, released: 0 } });
    const owed = await till.database.select().from(refunds).where(eq(refunds.interactionId, id));
    expect(owed.map(({ amountCentavos }) => amountCentavos)).toEqual([750_00]);
  },
);
