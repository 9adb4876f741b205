import { type Paymongo, PaymongoError, PaymongoUnreachable } from '@tara/paymongo';
import { describe, expect } from 'vitest';
import { insertOwed, readDisbursement } from '../../testing/features/disbursements.ts';
import { paymentTest } from '../../testing/features/payment-fixture.ts';
import { openRequestFixture, waitFor } from '../../testing/features/request-fixture.ts';
import { disburse } from './disburse.ts';
import { orderTexts } from './sending.ts';

type Transfers = Paymongo['transfers'];

const lost = new PaymongoUnreachable('timeout', 'POST');

const test = paymentTest
  .extend('requests', ({ fixture }) => openRequestFixture(fixture))
  /** What is owed and has no job, run with calls of the provider that are replaced. */
  .extend('owe', ({ fixture, requests }) => async (purpose: 'payout' | 'refund') => {
    const { id, interactionId } = await requests.owed(purpose);
    const run = (replaced: Partial<Paymongo>) =>
      disburse({ ...fixture.context, provider: { ...fixture.provider.client, ...replaced } }, id).catch(
        (error: unknown) => error,
      );
    return {
      ...{ id, interactionId, run },
      read: () => readDisbursement(fixture.database, id),
      /** As if it had been sent so many hours ago. */
      age: (hours: number) =>
        fixture.sql.begin(async (sql) => {
          await sql`set local session_replication_role = replica`;
          await sql`update attempts set created_at = now() - make_interval(hours => ${hours}),
            sent_at = now() - make_interval(hours => ${hours}) where disbursement_id = ${id}`;
        }),
    };
  })
  .extend('payout', async ({ fixture, owe }) => {
    const { run, ...payout } = await owe('payout');
    const { client } = fixture.provider;
    return {
      ...payout,
      run: (calls: Partial<Transfers> = {}, wallets = client.wallets) =>
        run({ wallets, transfers: { ...client.transfers, ...calls } }),
    };
  })
  .extend('refund', async ({ fixture, owe }) => {
    const { run, ...refund } = await owe('refund');
    const { client } = fixture.provider;
    return {
      ...refund,
      run: (create: Paymongo['refunds']['create'] = client.refunds.create, get = client.payments.get) =>
        run({ payments: { ...client.payments, get }, refunds: { ...client.refunds, create } }),
    };
  });

/** Refuses an order, and remembers it. */
const refusing = () => {
  const orders: Parameters<Transfers['create']>[] = [];
  const create = async (...order: Parameters<Transfers['create']>) => {
    orders.push(order);
    throw new PaymongoError(400, [{ code: 'parameter_invalid', detail: 'No.' }], {});
  };
  return { orders, create };
};

/** Sends, and loses the request on its way or the answer. */
const losing = (create?: Transfers['create']) => ({
  create: async (...order: Parameters<Transfers['create']>) => {
    await create?.(...order);
    throw lost;
  },
});
const refuse = async (): Promise<never> => {
  throw new PaymongoError(400, [{ code: 'parameter_invalid', detail: 'It is refused.' }], {});
};
const refuseToSend = {
  create: async () => {
    throw new Error('it was sent');
  },
};

describe('a payout', () => {
  test('is sent, and repeated within 20 hours, without a search of the provider’s transfers', async ({
    payout,
  }) => {
    const keys: string[] = [];
    const calls: Partial<Transfers> = {
      list: async () => {
        throw new Error('the transfers were searched');
      },
      findByReference: async () => {
        throw new Error('the transfers were searched');
      },
      create: async (_order, key) => {
        keys.push(key);
        throw lost;
      },
    };
    expect(await payout.run(calls)).toBe(lost);
    await payout.age(19);
    expect(await payout.run(calls)).toBe(lost);
    expect(keys).toEqual([`${payout.id}:1`, `${payout.id}:1`]);
  });

  test('that is repeated is booked as it is now, not as the first answer says', async ({
    fixture,
    payout,
  }) => {
    await fixture.provider.fault({ kind: 'drop_deliveries', event: 'transfer.' });
    const { create, findByReference } = fixture.provider.client.transfers;
    await payout.run(losing(create));
    const status = async () => (await findByReference(payout.id)).map((transfer) => transfer.status);
    await expect.poll(status, waitFor).toEqual(['succeeded']);
    await payout.run();
    expect(await payout.read()).toMatchObject({ state: 'arrived', attempts: 1 });
    await fixture.provider.clearFaults();
  });

  test('whose answer was lost is found after 20 hours, and not sent again', async ({ fixture, payout }) => {
    await payout.run(losing(fixture.provider.client.transfers.create));
    await payout.age(21);
    expect(await payout.run(refuseToSend)).toBeUndefined();
    expect((await payout.read()).attempt?.reference).not.toBeNull();
    await expect.poll(async () => (await payout.read()).state, waitFor).toBe('arrived');
    expect(await fixture.provider.client.transfers.findByReference(payout.id)).toHaveLength(1);
  });

  test('that never arrived is not sent again for a day, and then under another key', async ({
    fixture,
    payout,
  }) => {
    await payout.run(losing());
    for (const hours of [21, 23]) {
      await payout.age(hours);
      expect(await payout.run(refuseToSend)).toBeUndefined();
      expect(await payout.read()).toMatchObject({ attempts: 1, problem: orderTexts.unclear });
    }
    await payout.age(25);
    await payout.run(refuseToSend);
    await expect.poll(async () => (await payout.read()).state, waitFor).toBe('arrived');
    expect(await payout.read()).toMatchObject({ attempts: 2 });
    expect(await fixture.provider.client.transfers.findByReference(payout.id)).toHaveLength(1);
  });

  test('whose repeated order is refused is the one that was taken the first time', async ({
    fixture,
    payout,
  }) => {
    await payout.run(losing(fixture.provider.client.transfers.create));
    const [taken] = await fixture.provider.client.transfers.findByReference(payout.id);
    await payout.run({ create: refuse, get: async () => ({ ...taken, status: 'pending' }) as never });
    expect(await payout.read()).toMatchObject({ attempts: 1, attempt: { reference: taken?.id } });
    await expect.poll(async () => (await payout.read()).state, waitFor).toBe('arrived');
  });

  test.for([
    ['was refused', (run: () => Promise<unknown>) => run()],
    ['was booked', (_run: () => Promise<unknown>, pay: () => Promise<unknown>) => pay()],
  ] as const)('that %s meanwhile is not sent', async ([_case, happen], { fixture, payout }) => {
    const { client } = fixture.provider;
    const pay = () =>
      fixture.sql`update disbursements set state = 'arrived', arrived_at = now() where id = ${payout.id}`;
    const list = async () => {
      await happen(() => payout.run({ create: refuse }), pay);
      return client.wallets.list();
    };
    expect(await payout.run(refuseToSend, { ...client.wallets, list })).toBeUndefined();
    expect(await client.transfers.findByReference(payout.id)).toEqual([]);
  });

  test('that another run sent meanwhile counts as sent, although it is refused now', async ({
    fixture,
    payout,
  }) => {
    await fixture.provider.fault({ kind: 'drop_deliveries', event: 'transfer.' });
    const { client } = fixture.provider;
    const list = async () => {
      await payout.run(losing(client.transfers.create));
      return client.wallets.list();
    };
    await payout.run({ create: refuse }, { ...client.wallets, list });
    const [taken] = await client.transfers.findByReference(payout.id);
    expect(await payout.read()).toMatchObject({ attempts: 1, attempt: { reference: taken?.id } });
    await fixture.provider.clearFaults();
  });

  test('that another run sent meanwhile is under way, although its own sending is refused', async ({
    fixture,
    payout,
  }) => {
    await fixture.provider.fault({ kind: 'drop_deliveries', event: 'transfer.' });
    const { transfers } = fixture.provider.client;
    const create = async () => {
      await payout.run({ get: async (id) => ({ ...(await transfers.get(id)), status: 'pending' }) });
      return refuse();
    };
    await payout.run({ create });
    const [taken] = await transfers.findByReference(payout.id);
    expect(await payout.read()).toMatchObject({ attempts: 1, attempt: { reference: taken?.id } });
    expect((await payout.read()).state).not.toBe('owed');
    await fixture.provider.clearFaults();
  });

  test('keeps why it was refused when an older answer says that it is under way', async ({
    fixture,
    payout,
  }) => {
    await fixture.provider.fault({ kind: 'drop_deliveries', event: 'transfer.' });
    const { transfers } = fixture.provider.client;
    const underWay = { status: 'pending' };
    await payout.run({
      create: async (...order) => ({ ...(await transfers.create(...order)), ...underWay }),
    });
    const fail: Partial<Transfers> = {
      get: async (id) => ({
        ...(await transfers.get(id)),
        status: 'failed',
        provider_error: 'It is closed.',
      }),
    };
    await payout.run({
      get: async (id) => {
        await payout.run(fail);
        return { ...(await transfers.get(id)), ...underWay };
      },
    });
    expect(await payout.read()).toMatchObject({ state: 'owed', problem: 'It is closed.' });
    await fixture.provider.clearFaults();
  });

  test('is not sent again while the provider’s transfers cannot be read, or have something else of it', async ({
    fixture,
    payout,
    owe,
  }) => {
    await payout.run(losing());
    await payout.age(48);
    const { findByReference } = fixture.provider.client.transfers;
    const refusal = new PaymongoError(403, [{ code: 'access_denied', detail: 'No access.' }], {});
    const refused = await payout.run({
      ...refuseToSend,
      findByReference: async () => {
        throw refusal;
      },
    });
    expect(refused).toBe(refusal);
    expect(await payout.read()).toMatchObject({ attempts: 1, problem: 'No access.' });
    await payout.run({
      ...refuseToSend,
      findByReference: async (reference) => {
        const other = { ...(await findByReference(reference))[0], amount: 1, status: 'succeeded' };
        return [
          {
            ...other,
            id: 'tr_1',
            currency: 'PHP',
            provider: 'instapay',
            destination_account: other as never,
          },
        ];
      },
    });
    const doubtful = {
      attempts: 1,
      attempt: { state: 'sent', reference: null },
      problem: orderTexts.doubtful,
    };
    expect(await payout.read()).toMatchObject(doubtful);
    // Nor is one of two taken for it.
    const two = ['tr_1', 'tr_2'].map((id) => ({ id, amount: 250_00, status: 'succeeded' }) as never);
    await payout.run({ ...refuseToSend, findByReference: async () => two });
    expect(await payout.read()).toMatchObject(doubtful);
    // What is under way of another one says nothing of it.
    const other = await owe('payout');
    await other.run({});
    expect(await payout.read()).toMatchObject(doubtful);
  });
});

test('a provider that is away for a short time is no problem of a payout, and is one after an hour', async ({
  fixture,
  payout,
}) => {
  const fail = (error: Error) => ({
    create: async (): Promise<never> => {
      throw error;
    },
  });
  const broken = new PaymongoError(500, [{ code: 'internal_server_error', detail: 'It broke.' }], {});
  for (const error of [lost, broken]) {
    expect(await payout.run(fail(error))).toBe(error);
    expect((await payout.read()).problem).toBeNull();
  }
  await fixture.sql`update disbursements set created_at = now() - interval '61 minutes' where id = ${payout.id}`;
  // It says nothing that an admin could read.
  await payout.run(fail(lost));
  expect((await payout.read()).problem).toBeNull();
  await payout.run(fail(broken));
  expect((await payout.read()).problem).toBe('It broke.');
});

test('a payout is not begun by a provider without a wallet to send it from', async ({ fixture, payout }) => {
  const { wallets } = fixture.provider.client;
  expect(await payout.run({}, { ...wallets, list: async () => [] })).toMatchObject({
    message: 'the provider has no wallet to pay out from',
  });
  expect(await payout.read()).toMatchObject({ state: 'owed', attempts: 0 });
});

test.for([
  ['50,000.00', 'instapay', 50_000_00],
  ['50,000.01', 'pesonet', 50_000_01],
] as const)('a payout of ₱%s goes by %s', async ([, rail, amountCentavos], { fixture, requests }) => {
  const interactionId = await requests.fulfilled();
  // The terms of a request are never changed but by a test.
  await fixture.sql.begin(async (sql) => {
    await sql`set local session_replication_role = replica`;
    await sql`update interactions set price_centavos = ${amountCentavos} where id = ${interactionId}`;
  });
  const id = await insertOwed(fixture.database, interactionId, 'payout', amountCentavos);
  const { client } = fixture.provider;
  const rails: string[] = [];
  const create: Transfers['create'] = async ({ provider }) => {
    rails.push(provider);
    throw lost;
  };
  const config = { ...fixture.context.config, payoutLimitCentavos: amountCentavos };
  const provider = { ...client, transfers: { ...client.transfers, create } };
  await disburse({ ...fixture.context, config, provider }, id).catch(() => undefined);
  expect(rails).toEqual([rail]);
});

describe('the number of a refund by a transfer', () => {
  const number = '09171234567';
  const transferTest = test.extend('transfer', async ({ fixture, owe }) => {
    const refund = await owe('refund');
    await fixture.sql`update disbursements set way = 'transfer', number = ${number} where id = ${refund.id}`;
    const { transfers } = fixture.provider.client;
    return {
      ...refund,
      run: (calls: Partial<Transfers>) => refund.run({ transfers: { ...transfers, ...calls } }),
    };
  });

  transferTest('stays when the balance of Tara is short', async ({ transfer }) => {
    const create = async (): Promise<never> => {
      throw new PaymongoError(422, [{ code: 'insufficient_balance', detail: 'The balance is short.' }], {});
    };
    await transfer.run({ create });
    expect(await transfer.read()).toMatchObject({ state: 'owed', attempts: 1, number });
  });

  transferTest('stays when the transfer never arrived at the provider', async ({ transfer }) => {
    await transfer.run(losing());
    await transfer.age(25);
    await transfer.run(refuseToSend);
    expect(await transfer.read()).toMatchObject({ number });
    await expect.poll(async () => (await transfer.read()).state, waitFor).toBe('arrived');
  });
});

describe('a refund', () => {
  test('that never arrived is not ordered again for a day, and then under another key', async ({
    refund,
  }) => {
    const keys: (string | undefined)[] = [];
    const lose = async (_order: object, key?: string): Promise<never> => {
      keys.push(key);
      throw lost;
    };
    expect(await refund.run(lose)).toBe(lost);
    await refund.age(19);
    expect(await refund.run(lose)).toBe(lost);
    for (const hours of [21, 23]) {
      await refund.age(hours);
      expect(await refund.run(lose)).toBeUndefined();
      expect(await refund.read()).toMatchObject({ attempts: 1, problem: orderTexts.unclear });
    }
    expect(keys).toEqual([`${refund.id}:1`, `${refund.id}:1`]);
    await refund.age(25);
    expect(await refund.run(lose)).toBeUndefined();
    await expect.poll(async () => (await refund.read()).state, waitFor).toBe('arrived');
    expect(await refund.read()).toMatchObject({ attempts: 2 });
  });

  test('whose payment the provider refuses to show keeps its order', async ({ refund }) => {
    const lose = async (): Promise<never> => {
      throw lost;
    };
    expect(await refund.run(lose)).toBe(lost);
    expect(await refund.run(lose, refuse)).toBeUndefined();
    expect(await refund.read()).toMatchObject({
      ...{ attempts: 1, attempt: { state: 'sent' }, problem: 'It is refused.' },
    });
  });

  test('whose order may be at the provider is repeated, also once the time of its payment is over', async ({
    fixture,
    requests,
    refund,
  }) => {
    const keys: (string | undefined)[] = [];
    const lose = async (_order: object, key?: string): Promise<never> => {
      keys.push(key);
      throw lost;
    };
    await refund.run(lose);
    const { paymentId } = await requests.row(refund.interactionId);
    await fixture.provider.control(`/payments/${paymentId}/age`, { days: 61 });
    await refund.run(lose);
    expect(keys).toEqual([`${refund.id}:1`, `${refund.id}:1`]);
  });

  test('whose answer was lost is found after 20 hours', async ({ fixture, refund }) => {
    await fixture.provider.fault({ kind: 'drop_deliveries', event: 'payment.refund' });
    const { create } = fixture.provider.client.refunds;
    await refund.run(async (...order) => {
      await create(...order);
      throw lost;
    });
    await refund.age(48);
    await refund.run(refuseToSend.create);
    expect(await refund.read()).toMatchObject({
      attempts: 1,
      attempt: { reference: expect.stringMatching(/^ref_/) },
    });
    await fixture.provider.clearFaults();
  });
});

test('a transfer that the provider makes after it refused it is taken, and no other is sent', async ({
  fixture,
  payout,
}) => {
  const { orders, create } = refusing();
  await payout.run({ create });
  expect(await payout.read()).toMatchObject({ state: 'owed', attempts: 1 });
  const { transfers } = fixture.provider.client;
  for (const order of orders) await transfers.create(...order);
  await expect.poll(async () => (await payout.read()).state, waitFor).toBe('arrived');
  expect(await transfers.findByReference(payout.id)).toHaveLength(1);
});
