import type { Member } from '@tara/server/testing/features/members';
import { describe, expect } from 'vitest';
import { Coverage } from './lives/coverage.ts';
import { liveSeed, runSeeds } from './lives/run.ts';
import { checkSeen } from './money/checks.ts';
import { callFaults } from './money/provider.ts';
import { type Deed, dayMs, deliveryFaults, type Script } from './money/script.ts';
import { money } from './money/subject.ts';
import { excludedPairs, pairNames } from './money/writers.ts';
import { livesTest, printedLife } from './testing/lives.ts';

const test = livesTest('money', money);

const lives = 200;

const scriptOf = (...deeds: Deed[]): Script => ({
  environment: { PAYMENT_METHODS: 'card,gcash' },
  settings: {},
  tells: false,
  acts: deeds.map((deed) => ({ deed, steps: null })),
});

/** On which everything goes well. */
const goodEnd = scriptOf(
  { do: 'request', client: 0, plan: 0, day: 3 },
  { do: 'pay', request: 0, way: 'card' },
  { do: 'accept', request: 0 },
  { do: 'pass', ms: 4 * dayMs },
  { do: 'sayMet', request: 0 },
  { do: 'fulfil', request: 0 },
  { do: 'confirm', request: 0, admin: 0 },
  { do: 'review', request: 0 },
);

describe('a life of a request and its money', () => {
  test('goes from the request to the payout and the review', async ({ place }) => {
    const { findings } = await liveSeed(place, 1, { script: goodEnd });
    expect(findings).toEqual([]);
    const [row] = await place.world.admin`select stage, paid_out_at > '2026-01-09' as "isPaidOut",
      (select count(*) from reviews)::int as reviews,
      (select array_agg(kind order by id) from ledger_transfers) as transfers from interactions`;
    expect(row).toEqual({
      ...{ stage: 'completed', isPaidOut: true, reviews: 1, transfers: ['capture', 'release', 'payout'] },
    });
  });

  test('is the same in another process, byte for byte', async ({ place }) => {
    const { trace } = await liveSeed(place, 3);
    expect(await printedLife('money', 3)).toBe(trace.join('\n'));
  });

  test.for([1, 2, 3, 40])('is the same again from its seed, byte for byte: %i', async (seed, { place }) => {
    const first = await liveSeed(place, seed);
    const again = await liveSeed(place, seed);
    expect(again.trace.join('\n')).toBe(first.trace.join('\n'));
    expect(first.steps).toBeGreaterThan(100);
  });

  test('goes on from the time at which a number is changed', async ({ place }) => {
    const script = scriptOf({ do: 'pass', ms: 20_000 }, { do: 'changeNumber', creator: 0, number: 1 });
    // Nothing that sets the time of the database comes in between.
    for (const act of script.acts) act.steps = 0;
    expect((await liveSeed(place, 1, { script })).findings).toEqual([]);
    const [row] = await place.world.admin`select payout_number_from >= '2026-01-06T01:00:20Z' as "isLater"
      from profiles where id = 'creator1'`;
    expect(row).toEqual({ isLater: true });
  });

  test('differs from that of another seed', async ({ place }) => {
    const one = await liveSeed(place, 1, { script: goodEnd });
    const other = await liveSeed(place, 2, { script: goodEnd });
    expect(other.trace).not.toEqual(one.trace);
  });
});

describe('what the lives cover', () => {
  test('the process ends before the step that a script names', async ({ place }) => {
    const coverage = new Coverage();
    const point = 'the answer to POST /v1/links arrives';
    const script = scriptOf({ do: 'request', client: 0, plan: 0, day: 3 });
    script.acts = [
      ...script.acts.map(({ deed }) => ({ deed, steps: 0 })),
      { deed: { do: 'crash', point }, steps: null },
    ];
    const { findings } = await liveSeed(place, 1, { script, coverage });
    expect(findings).toEqual([]);
    expect(coverage.counts.get('crash before')?.get(point)).toBe(1);
  });

  test('what may write to a request in its stage meets, and nothing else', async ({ place }) => {
    const coverage = new Coverage();
    const picks = Array.from({ length: 40 }, (_, index) => index);
    const script = scriptOf(
      { do: 'request', client: 0, plan: 0, day: 3 },
      { do: 'rush', request: 0, names: [], picks, after: null },
    );
    const { findings } = await liveSeed(place, 1, { script, coverage });
    expect(findings).toEqual([]);
    const pairs = [...(coverage.counts.get('at once')?.keys() ?? [])];
    expect(pairs).toContain('accept and end');
    expect(pairs.filter((pair) => !pairNames.includes(pair))).toEqual([]);
    expect(excludedPairs.get('accept and confirm')).toBe(
      'accept is from requested, paid; confirm from fulfilled',
    );
  });
});

test('a rush meets the transaction that has enqueued its job', async ({ place }) => {
  const { acts, ...rest } = scriptOf(
    { do: 'request', client: 0, plan: 0, day: 3 },
    { do: 'pay', request: 0, way: 'qrph' },
    { do: 'cancel', request: 0, by: 'client' },
    { do: 'rush', request: 0, names: ['payments.disburse'], picks: [], after: null },
  );
  const environment = { PAYMENT_METHODS: 'card,qrph' };
  const lines: string[] = [];
  // Between the end of the request and the commit of what turns its refund into a transfer.
  for (let steps = 18; steps < 28; steps++) {
    const script = {
      ...rest,
      environment,
      acts: acts.map((act, index) => (index === 2 ? { ...act, steps } : act)),
    };
    const { trace, findings } = await liveSeed(place, 1, { script });
    expect(findings).toEqual([]);
    lines.push(...trace);
  }
  expect(lines.join('\n')).toContain('a transaction that is under way has enqueued payments.disburse');
});

test('a refund fails once the card issuer has taken its payment back', async ({ place }) => {
  const acts = scriptOf(
    ...[
      { do: 'request', client: 0, plan: 0, day: 2 } as const,
      { do: 'pay', request: 0, way: 'card' } as const,
    ],
    { do: 'providerFault', kind: 'fail_refund', event: '', times: 1, delayMs: 0 },
    { do: 'cancel', request: 0, by: 'client' },
    { do: 'chargeBack', request: 0, namesPayment: true, isPart: false },
    { do: 'decideChargeback', request: 0, status: 'lost' },
    { do: 'pass', ms: 3_600_000 },
  ).acts;
  const states: string[] = [];
  for (let steps = 10; steps < 50; steps += 5) {
    const script = {
      ...scriptOf(),
      acts: acts.map((act, index) => ({ ...act, steps: index < 3 ? null : index === 3 ? steps : 10 })),
    };
    expect((await liveSeed(place, 1, { script })).findings).toEqual([]);
    const [row] = await place.world
      .admin`select disbursements.state || ' ' || attempts.state || ' ' || coalesce((ended_at > decided_at)::text, '-') as state
      from disbursements left join attempts on disbursement_id = disbursements.id and attempts.number = 1 left join chargebacks on true`;
    states.push(String(row?.state));
  }
  // Its attempt was refused after the dispute was decided.
  expect(states).toContain('void refused true');
});

describe('what counts as covered', () => {
  const request: Deed = { do: 'request', client: 0, plan: 0, day: 3 };
  const pay: Deed = { do: 'pay', request: 0, way: 'card' };
  const cancel: Deed = { do: 'cancel', request: 0, by: 'client' };
  const failRefund = { do: 'providerFault', kind: 'fail_refund', event: '', delayMs: 0 } as const;

  test('a deed that did something', async ({ place }) => {
    const coverage = new Coverage();
    const script = scriptOf(
      ...[
        request,
        { do: 'confirm', request: 0, admin: 0 } as const,
        { do: 'authorize', request: 0 } as const,
      ],
      { do: 'pay', request: 0, way: 'declined' },
      { do: 'chargeBack', request: 0, namesPayment: true, isPart: false },
      { do: 'changeNumber', creator: 0, number: 1 },
      { do: 'changeNumber', creator: 0, number: 1 },
      ...[{ ...failRefund, times: 1 }, { do: 'mend' } as const, { do: 'mend' } as const, cancel],
    );
    const { findings } = await liveSeed(place, 1, { script, coverage });
    expect(findings).toEqual([]);
    const deeds = { request: 1, changeNumber: 1, mend: 1, cancel: 1 };
    expect(Object.fromEntries(coverage.counts.get('deed') ?? [])).toEqual(deeds);
    expect(coverage.counts.get('fault')).toBeUndefined();
  });

  test.for([
    ...callFaults.map((kind): Deed & { kind: string } => ({ do: 'callFault', kind, call: '', times: 1 })),
    ...deliveryFaults.map((kind): Deed & { kind: string } => ({ ...failRefund, kind, times: 1 })),
  ])('a fault that was met: $kind', async (fault, { place }) => {
    const coverage = new Coverage();
    const script = scriptOf(request, fault, pay, cancel, { do: 'pass', ms: dayMs });
    expect((await liveSeed(place, 1, { script, coverage })).findings).toEqual([]);
    expect(Object.fromEntries(coverage.counts.get('fault') ?? [])).toEqual({ [fault.kind]: 1 });
  });
});

describe('what the lives check', () => {
  const moved = {
    ...{ state: 'paid_out', takenBack: 0, refund: null },
    payout: { amount: 250, problem: null, until: null },
  };
  const views: { seen: string; client?: object | null; creator?: object; text: string[] }[] = [
    { seen: 'what moved', client: moved, text: [] },
    { seen: 'nothing', client: null, text: ['client: nothing is shown'] },
    {
      ...{ seen: 'another amount', client: { ...moved, payout: null } },
      text: [
        'client: paid_out: 0 to the creator, 0 to the client and 0 to the card issuer are shown, 25000, 0 and 0 moved',
      ],
    },
    {
      ...{ seen: 'what is the creator’s', client: { ...moved, payout: { ...moved.payout, problem: 'No.' } } },
      text: ["client: 'No.' is shown of the other's money"],
    },
    {
      ...{
        seen: 'until when the payout waits',
        client: { ...moved, payout: { ...moved.payout, until: 'June' } },
      },
      text: ["client: June is shown of the other's money"],
    },
    {
      ...{ seen: 'what is the client’s', creator: { ...moved, refund: { amount: 0, problem: 'No.' } } },
      text: ["creator: 'No.' is shown of the other's money"],
    },
  ];
  test.for(views)(
    'looks at what both see: $seen',
    async ({ client = moved, creator = moved, text }, { place }) => {
      await liveSeed(place, 1, { script: goodEnd });
      const { admin, clients, creators, provider } = place.world;
      const [row] = await admin`select id from interactions`;
      const parties = { client: clients[0] as Member, creator: creators[0] as Member };
      const findings = await checkSeen({
        ...{ world: place.world, provider },
        requests: [{ ...{ id: row?.id, planId: '', stage: 'completed' }, ...parties }],
        read: async (who) => {
          const money = who === parties.client ? client : creator;
          return money && ({ money } as never);
        },
      });
      expect(findings.map((finding) => finding.text)).toEqual(text.map((line) => `${row?.id}, ${line}`));
    },
  );

  test('of a payout that the account may not send, for two days, the list has it, and it is sent once', async ({
    place,
  }) => {
    const mayNot = (kind: 'answer_403' | 'lose_answer', call: string): Deed[] => [
      ...goodEnd.acts.slice(0, 6).map(({ deed }) => deed),
      { do: 'callFault', kind, call, times: 1000 },
      { do: 'confirm', request: 0, admin: 0 },
      { do: 'pass', ms: 2 * dayMs },
    ];
    for (const deeds of [
      mayNot('answer_403', 'GET /v2/wallets'),
      mayNot('answer_403', 'POST /v2/batch_transfers'),
      mayNot('lose_answer', 'POST /v2/batch_transfers'),
      mayNot('lose_answer', ''),
    ])
      expect((await liveSeed(place, 1, { script: scriptOf(...deeds) })).findings).toEqual([]);
  });

  test(`holds in each of ${lives} lives, but for what is known`, {
    timeout: 900_000,
  }, async ({ pool }) => {
    const { failures } = await pool.share({ first: 1000, count: lives });
    expect(failures).toEqual([]);
  });
});

test('lives are the same in several processes', async ({ place, pool }) => {
  const seeds = { first: 5, count: 4 };
  expect(await pool.share(seeds)).toEqual(await runSeeds(place, seeds));
});
