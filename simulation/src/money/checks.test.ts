import { testPlatform } from '@tara/server/testing/platform';
import { describe, expect } from 'vitest';
import { commonInvariants, type Finding } from '../lives/life.ts';
import { liveSeed } from '../lives/run.ts';
import { minuteMs } from '../lives/script.ts';
import { livesTest, testKnown, whileTampered } from '../testing/lives.ts';
import {
  type Checked,
  checkBooks,
  checkEnd,
  checkQuiet,
  type MoneyInvariant,
  moneyInvariants,
} from './checks.ts';
import { type Deed, dayMs, type Script } from './script.ts';
import { money } from './subject.ts';

const scriptOf = (...deeds: Deed[]): Script => ({
  environment: { PAYMENT_METHODS: 'card,gcash' },
  settings: {},
  tells: false,
  acts: deeds.map((deed) => ({ deed, steps: null })),
});

const request: Deed = { do: 'request', client: 0, plan: 0, day: 3 };
const pay: Deed = { do: 'pay', request: 0, way: 'card' };
const toFulfilled: readonly Deed[] = [
  ...[request, pay, { do: 'accept', request: 0 } as const, { do: 'pass', ms: 4 * dayMs } as const],
  { do: 'fulfil', request: 0 },
];
const confirm: Deed = { do: 'confirm', request: 0, admin: 0 };

/** One request is paid out, another is refunded, and the card issuer takes the payment of a third. */
const course = scriptOf(
  ...toFulfilled,
  confirm,
  ...[
    { do: 'request', client: 1, plan: 1, day: 3 } as const,
    { do: 'pay', request: 1, way: 'card' } as const,
    { do: 'cancel', request: 1, by: 'client' } as const,
  ],
  { do: 'request', client: 2, plan: 2, day: 3 },
  { do: 'pay', request: 2, way: 'card' },
  { do: 'chargeBack', request: 2, namesPayment: true, isPart: false },
  { do: 'decideChargeback', request: 2, status: 'lost' },
  { do: 'pass', ms: dayMs },
);

const test = livesTest('money', money)
  /** What is stored once the course is over, as the checks see it. The lives of later tests replace it. */
  .extend('lived', { scope: 'file' }, async ({ place, database }): Promise<Checked> => {
    expect((await liveSeed(place, 1, { script: course })).findings).toEqual([]);
    const { world } = place;
    const rows =
      await world.admin`select id, client_id, plan_id, stage from interactions order by created_at, id`;
    const [creator] = world.creators;
    const requests = rows.flatMap(({ id, client_id, plan_id: planId, stage }) => {
      const client = world.clients.find(({ profileId }) => profileId === client_id);
      return client && creator ? [{ id, client, creator, planId, stage }] : [];
    });
    return {
      ...{ world, provider: world.provider, requests, misassigned: new Set(), noteMissing: () => [] },
      ...{ product: testPlatform(database, course.environment), read: async () => null },
    };
  });

type Check = (life: Checked) => Promise<Finding[]>;

/** What is wrong, and how it is looked for. */
interface Case {
  what: string;
  find: Check;
}

/** What a check finds while the rows of the product, or the records of the provider, are changed. */
const by =
  (check: Check) =>
  (
    what: string,
    { statement = 'select', provider = '' }: { statement?: string; provider?: string },
  ): Case => ({
    what,
    find: (life) =>
      whileTampered(life.world, statement, async () => {
        life.provider.change(`begin; ${provider}`);
        try {
          return await check(life);
        } finally {
          life.provider.change('rollback');
        }
      }),
  });
const books = by(checkBooks);
const quiet = by(checkQuiet);
const end = by(checkEnd);

const lessNet =
  "update objects set attributes = json_set(attributes, '$.net_amount', 1) where kind = 'payment'";

/** Every record of the provider of a kind once more. */
const again = (kind: string) => `insert into objects (id, kind, parent, attributes, created_at, updated_at)
  select id || '2', kind, parent, attributes, created_at, updated_at from objects where kind = '${kind}'`;

/** Lets rows of a table be what its checks refuse. */
const unchecked = (table: string) => `
  do $$ declare name text; begin
    for name in select conname from pg_constraint where contype = 'c' and conrelid = '${table}'::regclass loop
      execute format('alter table ${table} drop constraint %I', name);
    end loop;
  end $$`;

const cases: Partial<Record<MoneyInvariant, readonly Case[]>> = {
  'no money is made or lost': [
    books('a centavo', { statement: "update ledger_entries set amount = amount + 1 where account = 'cash'" }),
  ],
  'what leaves was captured': [
    books('a refund', {
      statement: `update ledger_entries set amount = amount * 2 from ledger_transfers
        where transfer_id = ledger_transfers.id and kind = 'refund'`,
    }),
    books('a release', {
      statement: `update ledger_entries set amount = amount * 2 from ledger_transfers
        where transfer_id = ledger_transfers.id and kind = 'release'`,
    }),
  ],
  'what is paid out was released': [
    books('a payout', {
      statement: `update ledger_entries set amount = amount * 2 from ledger_transfers
        where transfer_id = ledger_transfers.id and kind = 'payout'`,
    }),
    books('a fee', {
      statement: `insert into ledger_entries (transfer_id, account, owner, amount)
        select id, 'platform_fee', '', -1 from ledger_transfers where kind = 'payout'`,
    }),
  ],
  'a request has one outcome': [
    books('a second one', {
      statement: `${unchecked('interactions')};
        update interactions set cancelled_at = completed_at where completed_at is not null`,
    }),
  ],
  'an outcome shares out the price': [
    books('a release', {
      statement: `${unchecked('interactions')}; update interactions set released_centavos = price_centavos + 1`,
    }),
    books('a refund', {
      statement: `${unchecked('interactions')}; update interactions set refund_centavos = price_centavos + 1`,
    }),
  ],
  'a payment goes out once': [
    books('a disbursement', { statement: 'update disbursements set amount_centavos = amount_centavos * 2' }),
  ],
  'an attempt is open while its disbursement is sent': [
    books('an attempt', { statement: `${unchecked('attempts')}; update attempts set state = 'sent'` }),
    books('a disbursement', {
      statement: `${unchecked('disbursements')}; update disbursements set state = 'sending'`,
    }),
  ],
  'nobody is sent more than they are owed': [
    books('a payout', {
      statement: `${unchecked('attempts')}; update attempts set state = 'sent' from disbursements
        where disbursements.id = disbursement_id and purpose = 'payout'`,
    }),
    books('a refund', {
      statement: `${unchecked('attempts')}; update attempts set state = 'sent' from disbursements
        where disbursements.id = disbursement_id and purpose = 'refund'`,
    }),
  ],
  'nothing goes back that the card issuer took': [
    books('a refund', {
      statement: `update chargebacks set payment_id = disbursements.payment_id, decided_at = '2026-01-01'
        from disbursements where purpose = 'refund'`,
    }),
  ],
  'an attempt has an order of its own': [
    books('an order', { statement: "update attempts set reference = 'the same'" }),
  ],
  'a payment is captured before its request is paid': [
    books('a payment', { statement: 'delete from captured_payments' }),
  ],
  'a transfer is sent once': [books('a transfer', { provider: again('transfer') })],
  'no more is refunded than was paid': [books('a refund', { provider: again('refund') })],
  'a dispute is booked on the payment that it is about': [
    quiet('another payment', {
      statement: 'update chargebacks set payment_id = (select payment_id from disbursements limit 1)',
    }),
  ],
  'the wallet of the provider is the ledger’s': [
    quiet('a payment', {
      provider: lessNet,
    }),
    quiet('a refund', { provider: "delete from objects where kind = 'refund'" }),
    quiet('a transfer', { provider: "delete from objects where kind = 'transfer'" }),
    quiet('the fee of a transfer', {
      provider: `update objects set attributes = json_set(attributes, '$.fee', 1) where kind = 'transfer'`,
    }),
    quiet('a dispute', { provider: "delete from objects where kind = 'dispute'" }),
    quiet('the ledger', {
      statement: "update ledger_entries set amount = amount + 1 where account = 'cash'",
    }),
  ],
  'money that has not moved for an hour is in a list': [
    quiet('a payout', {
      statement: `${unchecked('disbursements')}; update disbursements set state = 'sending', recipient_id = 'nobody' where purpose = 'payout'`,
    }),
    quiet('a refund', {
      statement: `${unchecked('disbursements')}; update disbursements set state = 'owed', recipient_id = 'nobody' where purpose = 'refund'`,
    }),
  ],
  'a dispute is known': [
    end('a dispute', { statement: 'delete from chargebacks' }),
    end('what was decided', { statement: "update chargebacks set state = 'open', decided_at = null" }),
  ],
  'a payment of the provider is captured': [end('a payment', { statement: 'delete from captured_payments' })],
  'a request comes to its end': [
    end('a request', {
      statement: `${unchecked('interactions')}; update interactions set completed_at = null, cancelled_at = null`,
    }),
  ],
  'everything that is owed has moved': [
    end('what is owed', {
      statement: `${unchecked('disbursements')}; update disbursements set state = 'owed'`,
    }),
    end('what is sent', {
      statement: `${unchecked('disbursements')}; update disbursements set state = 'sending'`,
    }),
  ],
  'people see what moved': [end('nothing', {})],
};

const tamper = (statement: string): Deed => ({ do: 'tamper', statement });
const provider = (statement: string): Deed => ({ do: 'tamperProvider', statement });
const pass = (ms: number): Deed => ({ do: 'pass', ms });

/** What is found in a life of which something is changed on its way. */
interface Changed {
  what: string;
  deeds: Deed[];
  /** Steps between the last two deeds, of which one lets them meet; everything happens in between unless they are given. */
  steps?: number[];
  /** Undoes what is not rows. */
  undo?: string;
}

const lives: Partial<Record<MoneyInvariant, readonly Changed[]>> = {
  'no money is made or lost': [
    {
      what: 'what is looked at after each commit',
      deeds: [request, pay, tamper("update ledger_entries set amount = amount + 1 where account = 'cash'")],
    },
  ],
  'a transfer is sent once': [
    { what: 'a transfer', deeds: [...toFulfilled, confirm, provider(again('transfer'))] },
  ],
  'a payment is found by the rounds': [
    {
      what: 'a payment of nobody',
      deeds: [
        request,
        pay,
        provider(`${again('payment')};
          update objects set parent = null, attributes = json_remove(attributes, '$.external_reference_number', '$.metadata')
            where kind = 'payment' and id like '%2'`),
        pass(20 * minuteMs),
        pass(20 * minuteMs),
      ],
    },
  ],
  'the wallet of the provider is the ledger’s': [
    {
      what: 'what is looked at when nothing is under way',
      deeds: [...toFulfilled, confirm, pass(dayMs), provider(lessNet)],
    },
  ],
  'every rule of the ledger holds': [
    {
      what: 'what is released',
      deeds: [...toFulfilled, confirm, tamper('update interactions set released_centavos = 1')],
    },
  ],
  'the provider can be set': [
    {
      what: 'a fault that it does not take',
      deeds: [{ do: 'providerFault', kind: 'fail_refund', event: '', times: 0, delayMs: 0 }],
    },
  ],
  'what the stages exclude does not meet': [
    {
      what: 'a confirmation of what is only accepted',
      deeds: [
        ...[request, pay],
        tamper(`create function simulation.skip() returns trigger language plpgsql as $$ begin
            new.user_set_done_at := simulation.now();
            return new;
          end $$;
          create trigger skip before update on interactions for each row
            when (old.accepted_at is null and new.accepted_at is not null) execute function simulation.skip()`),
        ...[{ do: 'accept', request: 0 } as const, confirm],
      ],
      steps: [7, 8, 9, 10, 6, 5, 4],
      undo: 'drop trigger skip on interactions; drop function simulation.skip()',
    },
  ],
  'no call fails inside': [
    {
      what: 'a review that cannot be stored',
      deeds: [
        ...[...toFulfilled, confirm, tamper('alter table reviews add constraint refused check (stars = 0)')],
        { do: 'review', request: 0 },
      ],
      undo: 'alter table reviews drop constraint refused',
    },
  ],
};

const goOn = [...moneyInvariants, ...commonInvariants].map((invariant) => ({
  ...{ invariant, cause: '', seed: 1, goesOn: true },
}));

test('each invariant is broken by a test', () => {
  expect([...new Set([...Object.keys(cases), ...Object.keys(lives)])].sort()).toEqual(
    [...moneyInvariants].sort(),
  );
});

const rowsOf = <Row extends object>(table: Partial<Record<MoneyInvariant, readonly Row[]>>) =>
  Object.entries(table).flatMap(([breaks, rows]) => rows.map((row) => ({ ...row, breaks })));

describe('what the checks of money find', () => {
  test('nothing where nothing is changed', async ({ lived }) => {
    expect([...(await checkBooks(lived)), ...(await checkQuiet(lived))]).toEqual([]);
  });

  test.for(rowsOf(cases))('$breaks: $what', async ({ find, breaks }, { lived }) => {
    expect((await find(lived)).map(({ invariant }) => invariant)).toContain(breaks);
  });
});

describe('what a life of money finds', () => {
  test.for(rowsOf(lives))('$breaks: $what', async ({ deeds, steps = [null], undo, breaks }, { place }) => {
    const broken = new Set<string>();
    for (const between of steps) {
      const script = scriptOf(...deeds);
      const before = script.acts.at(-2);
      if (before) before.steps = between;
      const { findings } = await liveSeed({ ...place, subject: { ...money, known: goOn } }, 1, { script });
      for (const { invariant } of findings) broken.add(invariant);
      if (undo) await place.world.admin.unsafe(undo);
      if (broken.has(breaks)) break;
    }
    expect([...broken]).toContain(breaks);
  });
});

testKnown('money', money, {
  invariant: 'no money is made or lost',
  broken: scriptOf(
    tamper("insert into ledger_entries (transfer_id, account, owner, amount) values (0, 'cash', '', 1)"),
    { do: 'providerFault', kind: 'fail_refund', event: '', times: 0, delayMs: 0 },
  ),
});
