import { interactions as calls } from '@tara/contract/interactions/interactions';
import { openMoney } from '@tara/server/features/payments/admin-money';
import { proveLedger } from '@tara/server/features/payments/index';
import type { Finding as AnyFinding } from '../lives/life.ts';
import type { Product } from '../lives/product.ts';
import { openRules, ruleNames } from '../lives/rules.ts';
import type { Life, Request } from './life.ts';
import type { ProviderRecord } from './provider.ts';
import type { World } from './world.ts';

/** What all rules of the books share. */
const sums = `
  with sums as (
    select interaction_id as id,
      coalesce(sum(amount) filter (where kind = 'capture' and account = 'escrow'), 0) * -1 as captured,
      coalesce(sum(amount) filter (where kind = 'refund' and account = 'escrow'), 0) as refunded,
      coalesce(sum(amount) filter (where kind = 'release' and account = 'escrow'), 0) as released,
      coalesce(sum(amount) filter (where kind = 'payout' and account = 'payable'), 0) as paid_out,
      coalesce(sum(amount) filter (where account = 'platform_fee'), 0) * -1 as platform_fee
    from ledger_transfers join ledger_entries on transfer_id = ledger_transfers.id group by interaction_id)`;

/** What the ledger and the tables of money must not break by themselves. */
const bookRules = {
  'no money is made or lost': `
    select 'transfer ' || transfer_id || ' does not sum to zero'
      from ledger_entries group by transfer_id having sum(amount) <> 0`,
  'what leaves was captured': `
    select id || ': refunded ' || refunded || ' + released ' || released || ' of ' || captured
      from sums where refunded + released > captured`,
  'what is paid out was released': `
    select id || ': paid out ' || paid_out || ' + fee ' || platform_fee || ' of ' || released
      from sums where paid_out + platform_fee > released`,
  'a request has one outcome': `
    select id || ' is completed and cancelled' from interactions
      where completed_at is not null and cancelled_at is not null`,
  'an outcome shares out the price': `
    select id || ': ' || released_centavos || ' released and ' || refund_centavos || ' refunded of ' || price_centavos
      from interactions where released_centavos + refund_centavos > price_centavos`,
  'a payment goes out once': `
    select disbursements.payment_id || ': ' || sum(disbursements.amount_centavos) || ' go out'
      from disbursements join captured_payments on captured_payments.id = payment_id
      group by payment_id, captured_payments.amount_centavos
      having sum(disbursements.amount_centavos) > captured_payments.amount_centavos`,
  'an attempt is open while its disbursement is sent': `
    select disbursements.id || ' is ' || disbursements.state
      from disbursements where (state = 'sending') <> exists (
        select from attempts where disbursement_id = disbursements.id and attempts.state = 'sent')`,
  'nobody is sent more than they are owed': `
    select disbursements.id || ': ' || attempts.amount_centavos || ' of ' || owed.centavos
      from attempts join disbursements on disbursements.id = disbursement_id
        cross join lateral (
          select coalesce(-sum(amount), 0) as centavos
            from ledger_transfers join ledger_entries on transfer_id = ledger_transfers.id
            where payment_id = disbursements.payment_id
              and account = case purpose when 'payout' then 'payable' else 'escrow' end) as owed
      where attempts.state = 'sent' and attempts.amount_centavos > owed.centavos
        -- What a dispute takes, or took, of what was on its way already is Tara's loss.
        and not exists (select from chargebacks where chargebacks.payment_id = disbursements.payment_id
          and (chargebacks.state = 'open' or decided_at >= attempts.created_at))`,
  'nothing goes back that the card issuer took': `
    select disbursements.id || ': ' || attempts.amount_centavos || ' goes back of '
        || captured_payments.amount_centavos || ', of which the card issuer took ' || issuer.centavos
      from attempts join disbursements on disbursements.id = disbursement_id
        join captured_payments on captured_payments.id = payment_id
        cross join lateral (
          -- What left before the issuer decided is Tara's loss; a time is that of the beginning of a transaction.
          select coalesce(sum(amount_centavos), 0) as centavos from chargebacks
            where chargebacks.payment_id = captured_payments.id and state = 'lost' and decided_at < attempts.created_at - interval '1 second') as issuer
      where purpose = 'refund' and attempts.amount_centavos > captured_payments.amount_centavos - issuer.centavos`,
  'an attempt has an order of its own': `
    select reference || ' is that of ' || count(*) || ' attempts'
      from attempts where reference is not null group by reference having count(*) > 1`,
  'a payment is captured before its request is paid': `
    select id from interactions where paid_at is not null and price_centavos > 0
      and not exists (select from captured_payments where interaction_id = interactions.id)`,
};
const readBrokenBooks = openRules(bookRules, sums);

/** What the checks, and a life itself, find beside the rules of the books. */
const otherInvariants = [
  'a transfer is sent once',
  'no more is refunded than was paid',
  'a dispute is booked on the payment that it is about',
  'a payment is found by the rounds',
  'the wallet of the provider is the ledger’s',
  'money that has not moved for an hour is in a list',
  'a dispute is known',
  'a payment of the provider is captured',
  'a request comes to its end',
  'everything that is owed has moved',
  'every rule of the ledger holds',
  'people see what moved',
  'the provider can be set',
  'what the stages exclude does not meet',
  'no call fails inside',
] as const;

/** Every invariant that a life of money can break, beside those of all lives. */
export const moneyInvariants = [...ruleNames(bookRules), ...otherInvariants];
export type MoneyInvariant = (typeof moneyInvariants)[number];
type Finding = AnyFinding<MoneyInvariant>;

/** What the checks look at. */
export interface Checked {
  readonly world: World;
  readonly provider: World['provider'];
  readonly requests: readonly Request[];
  readonly product: Pick<Product, 'config'>;
  /** Disputes of which an admin said something wrong. */
  readonly misassigned: ReadonlySet<string>;
  /** @returns findings about those that were missing too long */
  noteMissing(ids: readonly string[]): Finding[];
  read: Life['read'];
}

const sum = (rows: readonly ProviderRecord[], name = 'amount') =>
  rows.reduce((total, { attributes }) => total + Number(attributes[name] ?? 0), 0);

/** Whether somebody has more of the provider than they are owed. */
function findDoubles({ provider }: Checked): Finding[] {
  const records = provider.records('payment', 'refund', 'transfer');
  const going = records.filter(
    ({ kind, attributes }) => kind !== 'payment' && attributes.status !== 'failed',
  );
  const findings: Finding[] = [];
  const transfers = going.filter(({ kind }) => kind === 'transfer');
  const references = new Set(transfers.map(({ attributes }) => String(attributes.reference_number)));
  for (const reference of references) {
    const sent = transfers.filter(({ attributes }) => attributes.reference_number === reference);
    if (sent.length > 1)
      findings.push({
        invariant: 'a transfer is sent once',
        text: `${sent.length} transfers of ${reference}`,
      });
  }
  for (const payment of records.filter(({ kind }) => kind === 'payment')) {
    const refunds = going.filter(({ kind, parent }) => kind === 'refund' && parent === payment.id);
    if (sum(refunds) > Number(payment.attributes.amount))
      findings.push({
        invariant: 'no more is refunded than was paid',
        text: `${sum(refunds)} refunded of ${payment.id}`,
      });
  }
  return findings;
}

/** What must hold whenever something about money was committed. */
export async function checkBooks(life: Checked): Promise<Finding[]> {
  return [...(await readBrokenBooks(life.world)), ...findDoubles(life)];
}

/** The provider's payments of requests of ours that count as paid. */
const paidPayments = ({ provider }: Checked) =>
  provider.records('payment').filter(({ attributes }) => attributes.status === 'paid');

/** What the provider's wallet and the ledger say, in centavos. */
async function readWallets(life: Checked) {
  const records = life.provider.records('payment', 'refund', 'transfer', 'dispute');
  const select = (kind: string, isCounted: (status: string) => boolean) =>
    records.filter((record) => record.kind === kind && isCounted(String(record.attributes.status)));
  const sent = select('transfer', (status) => status !== 'failed');
  const open = select('dispute', (status) => ['needs_response', 'under_review'].includes(status));
  const lost = select('dispute', (status) => ['lost', 'expired'].includes(status));
  const feeOf = (disputes: readonly ProviderRecord[]) => disputes.length * chargebackFee;
  const theirs =
    sum(
      select('payment', (status) => status === 'paid'),
      'net_amount',
    ) -
    sum(select('refund', (status) => status !== 'failed')) -
    sum(sent) -
    sum(sent, 'fee') -
    sum(lost) -
    feeOf(lost) -
    sum(open) -
    feeOf(open);
  const [row] = await life.world.admin`select coalesce(sum(amount), 0) as amount from ledger_entries
    where account in ('cash', 'paid_out', 'refunded', 'held_by_provider', 'charged_back')`;
  return { theirs, ours: Number(row?.amount ?? 0) };
}
/** What the provider keeps of a chargeback, in centavos. */
const chargebackFee = 800_00;

/** Whether every dispute is known, by the payment that it is about. */
export async function checkDisputes(life: Checked): Promise<Finding[]> {
  const disputes = life.provider.records('dispute');
  if (disputes.length === 0) return [];
  const rows = await life.world.admin`select id, payment_id from chargebacks`;
  return rows.flatMap(({ id, payment_id: payment }): Finding[] => {
    const dispute = disputes.find((other) => other.id === id);
    return dispute && dispute.parent !== payment && !life.misassigned.has(id)
      ? [
          {
            invariant: 'a dispute is booked on the payment that it is about',
            text: `dispute ${id} is about ${dispute.parent} and booked on ${payment}`,
          },
        ]
      : [];
  });
}

/** What must hold when nothing is under way. */
export async function checkQuiet(life: Checked): Promise<Finding[]> {
  const { world, provider } = life;
  const findings = await checkDisputes(life);
  const [row] = await world.admin`select
    (select count(*) from attempts where state = 'sent') as sent,
    (select array(select id from captured_payments)) as captured`;
  const captured = new Set(row?.captured as string[]);
  const missing = paidPayments(life).filter(({ id }) => !captured.has(id));
  const isMissing = missing.length > 0;
  findings.push(...life.noteMissing(missing.map(({ id }) => id)));
  const isUnderWay = provider.isBusy() || Number(row?.sent) > 0 || isMissing;
  const isKnown = (await missingDisputes(life)).length === 0;
  if (!isUnderWay && isKnown && findings.length === 0) {
    const { theirs, ours } = await readWallets(life);
    const text = `the provider has ${theirs} centavos, the ledger ${ours}`;
    if (theirs !== ours) findings.push({ invariant: 'the wallet of the provider is the ledger’s', text });
  }
  findings.push(...(await findHidden(life)));
  return findings;
}

/** What has been owed for an hour, whatever its state, since neither the card issuer nor a changed number holds it up. */
async function findHidden({ world, product }: Checked): Promise<Finding[]> {
  const owed = await world.admin`
    select disbursements.id as name from disbursements join interactions on interactions.id = interaction_id
      where state in ('owed', 'sending')
        and (state = 'sending' or not exists (select from chargebacks
          where chargebacks.payment_id = disbursements.payment_id and chargebacks.state = 'open'))
        and greatest(disbursements.created_at,
          case purpose when 'payout' then payout_waits_until end,
          (select max(decided_at) from chargebacks where chargebacks.payment_id = disbursements.payment_id))
        < simulation.now() - interval '1 hour'
    order by 1`;
  if (owed.length === 0) return [];
  const context = { database: world.database, config: product.config };
  const lists = [
    await openMoney(context, 'toPayOut', undefined),
    await openMoney(context, 'failed', undefined),
  ];
  const listed = new Set(lists.flatMap(({ items }) => items.map(({ id }) => id)));
  return owed
    .filter(({ name }) => !listed.has(name))
    .map(
      ({ name }): Finding => ({ invariant: 'money that has not moved for an hour is in a list', text: name }),
    );
}

async function missingDisputes({ provider, world }: Checked): Promise<ProviderRecord[]> {
  // A dispute that was won moved nothing, so nobody has to say which payment it was about.
  const rows = await world.admin`select id, state from chargebacks
    union all select id, state from unassigned_disputes where state = 'won'`;
  return provider.records('dispute').filter(({ id, attributes }) => {
    const row = rows.find((known) => known.id === id);
    const isOpen = ['needs_response', 'under_review'].includes(String(attributes.status));
    return !row || (!isOpen && row.state === 'open');
  });
}

/** What must hold when everything is over. */
export async function checkEnd(life: Checked): Promise<Finding[]> {
  const { world } = life;
  const findings: Finding[] = [];
  const find = (invariant: MoneyInvariant, text: string) => void findings.push({ invariant, text });
  for (const { id, attributes } of await missingDisputes(life))
    find(
      'a dispute is known',
      `dispute ${id}, ${attributes.status}, names ${attributes.payment_id ? 'its' : 'no'} payment`,
    );
  const captured = new Set((await world.admin`select id from captured_payments`).map(({ id }) => id));
  for (const { id } of paidPayments(life))
    if (!captured.has(id)) find('a payment of the provider is captured', id);
  const open = await world.admin`select id, stage from interactions
    where completed_at is null and cancelled_at is null order by id`;
  for (const { id, stage } of open) find('a request comes to its end', `${id} is ${stage}`);
  const owed = await world.admin`
    select purpose || ' ' || id as what, state, problem from disbursements where state in ('owed', 'sending') order by 1`;
  for (const { what, state, problem } of owed)
    find('everything that is owed has moved', `${what} is ${state}: ${problem ?? 'no problem is stored'}`);
  if (findings.length > 0) return findings;
  const { differences } = await proveLedger(world.database);
  for (const { rule, subject, text } of differences)
    find('every rule of the ledger holds', `${rule}: ${subject}: ${text}`);
  findings.push(...(await checkSeen(life)));
  return findings;
}

/** Whether what both parties see of a request that is over is what moved, and neither sees what is the other's alone. */
export async function checkSeen(
  life: Pick<Checked, 'world' | 'provider' | 'requests' | 'read'>,
): Promise<Finding[]> {
  const rows = await life.world.admin`
    select interactions.id,
      (select coalesce(-sum(amount), 0) from ledger_entries join ledger_transfers on ledger_transfers.id = transfer_id
        where interaction_id = interactions.id and kind = 'payout' and account = 'paid_out') as paid_out,
      (select coalesce(-sum(amount), 0) from ledger_entries join ledger_transfers on ledger_transfers.id = transfer_id
        where kind = 'refund' and ledger_transfers.payment_id = interactions.payment_id and account = 'refunded') as refunded,
      payment_id
    from interactions where price_centavos > 0 order by id`;
  const findings: Finding[] = [];
  const disputes = life.provider.records('dispute');
  for (const { id, client, creator } of life.requests) {
    const row = rows.find((stored) => stored.id === id);
    if (!row) continue;
    const lost = disputes.filter(
      ({ parent, attributes }) =>
        parent === row.payment_id && ['lost', 'expired'].includes(String(attributes.status)),
    );
    for (const [party, who] of [
      ['client', client],
      ['creator', creator],
    ] as const) {
      const find = (text: string) =>
        void findings.push({ invariant: 'people see what moved', text: `${id}, ${party}: ${text}` });
      const seen = await life.read(who, calls.interaction, { params: { id } });
      if (!seen) {
        find('nothing is shown');
        continue;
      }
      const { payout, refund, takenBack, state } = seen.money;
      const [earned, back, taken] = [payout?.amount, refund?.amount, takenBack].map((pesos = 0) =>
        Math.round(pesos * 100),
      );
      if (earned !== Number(row.paid_out) || back !== Number(row.refunded) || taken !== sum(lost))
        find(
          `${state}: ${earned} to the creator, ${back} to the client and ${taken} to the card issuer are shown, ${row.paid_out}, ${row.refunded} and ${sum(lost)} moved`,
        );
      const others = party === 'client' ? payout : refund;
      if (others?.problem != null) find(`'${others.problem}' is shown of the other's money`);
      if (party === 'client' && payout?.until != null) find(`${payout.until} is shown of the other's money`);
    }
  }
  return findings;
}
