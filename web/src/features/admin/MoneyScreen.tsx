import { Link } from '@tanstack/react-router';
import { adminWork, type MoneyAlarm, type MoneyOverview, moneyAges } from '@tara/contract/admin';
import {
  adminMoney,
  type LedgerCheck,
  type MoneyCase,
  type UnassignedDispute,
} from '@tara/contract/money/admin-money';
import { issuerReason } from '@tara/contract/money/disputes';
import { longDateTime } from '@tara/contract/philippine-time';
import { clsx } from 'clsx';
import { CircleAlert, CircleCheck, Search } from 'lucide-react';
import { Suspense, useState } from 'react';
import { pagesOf, queryOf, useLoaded, useLoadedPages } from '../../lib/queries.ts';
import { Button, buttonClass } from '../../ui/Button.tsx';
import { Money, money } from '../../ui/facts.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { InfiniteList } from '../../ui/InfiniteList.tsx';
import { lazyPart } from '../../ui/lazy-component.tsx';
import { Card, Page } from '../../ui/Page.tsx';
import { exactTime, fullDate, TimeLabel } from '../../ui/TimeLabel.tsx';
import { NoticeBox, PlanTitle } from '../plans/index.ts';
import type { MoneyCaseStep } from './MoneyDialogs.tsx';
import { moneyIntro } from './skeletons.tsx';

type Place = MoneyOverview['places'][number]['place'];

const texts: Record<Place, { title: string; text: string }> = {
  escrow: { title: 'In escrow', text: 'Paid and held, since the payment.' },
  toConfirm: { title: 'To confirm', text: 'Fulfilled, since the client said so. Also in escrow.' },
  noAnswer: {
    title: 'No answer',
    text: 'The client did not answer, since the week was over. Also in escrow.',
  },
  disputed: { title: 'Disputed', text: 'The client objects, since the dispute was opened. Also in escrow.' },
  toPayOut: { title: 'To pay out', text: 'Owed or on its way to members, since it was decided.' },
  failed: { title: 'Failed', text: 'Payouts and refunds that were refused, since the last try.' },
};

const ageLabels: Record<(typeof moneyAges)[number]['age'], string> = {
  day: 'Under a day',
  week: 'Under a week',
  month: 'Under a month',
  older: 'Older',
};

/** `/money`: what is wrong, what waits for an admin, what admins watch over, by age, and the last check of the books. */
export function MoneyScreen() {
  const { alarms, places, losingSale } = useLoaded(queryOf(adminWork.moneyOverview));
  return (
    <Page
      title="Money"
      intro={moneyIntro}
      width="grid"
      actions={
        <Link to="/find-payment" className={buttonClass({ variant: 'secondary' })}>
          <Icon of={Search} />
          Find a payment
        </Link>
      }
    >
      <Alarms alarms={alarms} />
      <UnassignedDisputes />
      <MoneyCases list="failed" />
      <MoneyCases list="toPayOut" />
      {losingSale && <LosingSale {...losingSale} />}
      <ul className="grid items-start gap-4 md:grid-cols-2">
        {places.map(({ place, ages }) => (
          <PlaceCard key={place} place={place} ages={ages} />
        ))}
      </ul>
      <LedgerCheckCard />
    </Page>
  );
}

/** The parts of the page that alarms lead to. */
type Part = 'books' | 'failed';

interface AlarmTexts {
  title: string;
  text: string;
  /** Where it is worked, also further down on this page; without one it is the provider's or the server's. */
  link?: { to: '/chargebacks' | '/money'; hash?: Part; label: string };
}

const count = (number: number, one: string, many: string) => (number === 1 ? one : `${number} ${many}`);

const alarmTexts: Record<MoneyAlarm['kind'], (alarm: MoneyAlarm & { amount: string }) => AlarmTexts> = {
  ledgerDiffers: (alarm) => ({
    title: count(alarm.count, 'A difference in the books', 'differences in the books'),
    text: 'The last check of the books found what does not agree.',
    link: { to: '/money', hash: 'books', label: 'Show the check' },
  }),
  chargebackOpened: ({ amount, dueOn, ...alarm }) => ({
    title: count(alarm.count, 'An open chargeback', 'open chargebacks'),
    text:
      dueOn === null
        ? `${amount} is disputed. The evidence was sent.`
        : `${amount} is disputed. ${alarm.count === 1 ? 'Evidence' : 'The first evidence'} is due by ${fullDate(dueOn)}.`,
    link: { to: '/chargebacks', label: 'Open the chargebacks' },
  }),
  disbursementStuck: ({ amount, ...alarm }) => ({
    title: count(alarm.count, 'A payout or refund is stuck', 'payouts and refunds are stuck'),
    text: `${amount} did not move for an hour.`,
    link: { to: '/money', hash: 'failed', label: 'Show what is stuck' },
  }),
  transferRefused: ({ amount, ...alarm }) => ({
    title: count(alarm.count, 'A transfer by hand was not recorded', 'transfers by hand were not recorded'),
    text: `${amount} may have left Tara. Say what became of it.`,
    link: { to: '/money', hash: 'failed', label: 'Show what was not recorded' },
  }),
  balanceShort: ({ amount }) => ({
    title: 'The wallet holds less than is owed',
    text: `The provider’s wallet lacks ${amount} of what members have to get.`,
  }),
  webhookDisabled: () => ({
    title: 'The provider stopped its deliveries',
    text: 'Its webhook of Tara is disabled, because deliveries failed, or is not there any more. Payments are found by asking meanwhile.',
  }),
  proofOverdue: () => ({
    title: 'The books were not checked for 36 hours',
    text: 'The nightly check did not end. The log of the server says why.',
  }),
};

/** What is wrong with money, what began first at the top. */
export function Alarms({ alarms }: Pick<MoneyOverview, 'alarms'>) {
  if (alarms.length === 0)
    return (
      <p className="mb-4 flex items-start gap-2">
        <Icon of={CircleCheck} className="mt-0.5 shrink-0 text-leaf" />
        No alarms. One is here while the books differ, what Tara sends did not move for an hour or a
        chargeback is open.
      </p>
    );
  return (
    <ul
      aria-label="What is wrong"
      className="mb-4 divide-y divide-line overflow-hidden rounded-card bg-ember-soft"
    >
      {alarms.map((alarm) => {
        const { title, text, link } = alarmTexts[alarm.kind]({ ...alarm, amount: money(alarm.pesos ?? 0) });
        return (
          <li key={alarm.kind} className="flex items-start gap-3 p-4">
            <Icon of={CircleAlert} className="mt-0.5 shrink-0 text-ember" />
            <div className="min-w-0 flex-1 wrap-anywhere">
              <p className="font-semibold">{title}</p>
              <p className="text-ink-soft">{text}</p>
              <p className="text-sm text-ink-soft">
                Since <ComparedTime iso={alarm.since} />
              </p>
              {link && (
                <Link
                  to={link.to}
                  hash={link.hash}
                  className={clsx('mt-2', buttonClass({ variant: 'secondary', size: 'sm' }))}
                >
                  {link.label}
                </Link>
              )}
            </div>
          </li>
        );
      })}
    </ul>
  );
}

/** By the fee setting: even the best sale costs more than it brings. */
function LosingSale({ price, earned, cost }: NonNullable<MoneyOverview['losingSale']>) {
  return (
    <div className="mb-4">
      <NoticeBox
        title="Each sale loses money"
        text={`Of a plan of ${money(price)} Tara earns ${money(earned)}, and by its public prices the provider takes at least ${money(cost)}. Whoever runs the server can raise PLATFORM_FEE_BASIS_POINTS.`}
      />
    </div>
  );
}

/** What is at one place, by age; a place without money is its heading alone. */
function PlaceCard({ place, ages }: MoneyOverview['places'][number]) {
  const { title, text } = texts[place];
  const all = Object.values(ages);
  const centavos = all.reduce((sum, { pesos }) => sum + Math.round(pesos * 100), 0);
  const count = all.reduce((sum, one) => sum + one.count, 0);
  return (
    <Card as="li">
      <h2 className="flex items-baseline justify-between gap-3 text-lg font-semibold">
        {title}
        <Money pesos={centavos / 100} />
      </h2>
      <p className="mt-1 text-sm text-ink-soft">{text}</p>
      {count > 0 && (
        <dl className="mt-4 flex flex-col gap-2 text-sm">
          {moneyAges.map(({ age }) => (
            <div key={age} className="flex justify-between gap-3 border-t border-line pt-2">
              <dt className="text-ink-soft">{ageLabels[age]}</dt>
              <dd className="flex gap-3">
                <span className="figures text-ink-soft">{ages[age].count}</span>
                <Money pesos={ages[age].pesos} className="min-w-24 text-right" />
              </dd>
            </div>
          ))}
          <div className="flex justify-between gap-3 border-t border-line pt-2 font-semibold">
            <dt>In all</dt>
            <dd className="flex gap-3">
              <span className="figures">{count}</span>
              <Money pesos={centavos / 100} className="min-w-24 text-right" />
            </dd>
          </div>
        </dl>
      )}
    </Card>
  );
}

const AssignDialog = lazyPart(async () => ({
  default: (await import('./MoneyDialogs.tsx')).AssignDialog,
}));
const ForeignDialog = lazyPart(async () => ({
  default: (await import('./MoneyDialogs.tsx')).ForeignDialog,
}));

const unassignedPages = pagesOf(adminMoney.unassignedDisputes);

interface Assignment {
  dispute: UnassignedDispute;
  paymentId?: string;
  /** Whether it is to be about no payment of Tara. */
  isForeign?: boolean;
}

/** Disputes of card issuers that do not name their payment, until an admin does. Those that wait are counted in the navigation, so they come first. */
export function UnassignedDisputes() {
  const { items, more } = useLoadedPages(unassignedPages);
  const [chosen, setChosen] = useState<Assignment | null>(null);
  const title = 'Card disputes without a payment';
  if (items.length === 0 && !more.hasMore && chosen === null) return null;
  return (
    <section aria-label={title} className="mb-8">
      <h2 className="text-lg font-semibold">{title}</h2>
      <p className="mt-1 text-ink-soft">
        The provider does not say which payment each is about. What it shows as disputed is not sent
        meanwhile.
      </p>
      <InfiniteList {...more}>
        <ul className="mt-3 divide-y divide-line overflow-hidden rounded-card border border-line bg-surface empty:hidden">
          {items.map((item) => (
            <UnassignedRow key={item.id} item={item} onChoose={setChosen} />
          ))}
        </ul>
      </InfiniteList>
      {chosen && (
        <Suspense>
          {chosen.isForeign ? (
            <ForeignDialog dispute={chosen.dispute} onClose={() => setChosen(null)} />
          ) : (
            <AssignDialog {...chosen} onClose={() => setChosen(null)} />
          )}
        </Suspense>
      )}
    </section>
  );
}

interface UnassignedRowProps {
  item: UnassignedDispute;
  onChoose: (assignment: Assignment) => void;
}

function UnassignedRow({ item, onChoose }: UnassignedRowProps) {
  const { id, amount, reason, state, disputedAt, dueOn, isUnderReview, isForeign, payments } = item;
  return (
    <li className="px-4 py-4">
      <p className="flex flex-wrap items-baseline gap-x-3 font-semibold">
        <Money pesos={amount} />
        <span className="figures min-w-0 text-sm font-normal wrap-anywhere">{id}</span>
      </p>
      <p className="text-sm text-ink-soft wrap-anywhere">
        {state === 'lost' && 'Lost · '}
        {reason && `${issuerReason(reason)} · `}
        <ComparedTime iso={disputedAt} />
      </p>
      {isForeign && (
        <p className="text-sm">
          About no payment of Tara, as an admin or the provider said. You can correct it.
        </p>
      )}
      {state === 'open' && !isForeign && (
        <p className="text-sm text-ink-soft">
          {isUnderReview ? 'The evidence was sent.' : `The provider takes evidence until ${fullDate(dueOn)}.`}
        </p>
      )}
      <ul aria-label="Payments that it may be about" className="mt-2 flex flex-col gap-2 empty:hidden">
        {payments.map((payment) => (
          <li key={payment.id} className="flex items-center justify-between gap-3 border-t border-line pt-2">
            <div className="min-w-0 text-sm wrap-anywhere">
              <p className="font-semibold">
                <Money pesos={payment.amount} /> · <PlanTitle title={payment.planTitle} />
              </p>
              <p className="text-ink-soft">
                {payment.clientName} · <ComparedTime iso={payment.paidAt} />
              </p>
              <p className="figures text-ink-soft">{payment.id}</p>
            </div>
            <Button
              variant="secondary"
              size="sm"
              aria-label={`Assign to ${payment.id}`}
              onClick={() => onChoose({ dispute: item, paymentId: payment.id })}
            >
              Assign
            </Button>
          </li>
        ))}
      </ul>
      <div className="mt-3 flex flex-wrap gap-2">
        <Button variant="secondary" size="sm" onClick={() => onChoose({ dispute: item })}>
          {payments.length > 0 ? 'Another payment' : 'Enter its payment'}
        </Button>
        {!isForeign && (
          <Button variant="secondary" size="sm" onClick={() => onChoose({ dispute: item, isForeign: true })}>
            No payment of Tara
          </Button>
        )}
      </div>
    </li>
  );
}

/** To the minute, because an admin compares it with the provider's dashboard. */
function ComparedTime({ iso }: { iso: string }) {
  return (
    <time dateTime={iso} className="figures">
      {longDateTime(iso)} (Philippine time)
    </time>
  );
}

const MoneyCaseDialog = lazyPart(async () => ({
  default: (await import('./MoneyDialogs.tsx')).MoneyCaseDialog,
}));

const casePages = {
  toPayOut: pagesOf(adminMoney.openMoney, { params: { list: 'toPayOut' } }),
  failed: pagesOf(adminMoney.openMoney, { params: { list: 'failed' } }),
};

const lists = {
  toPayOut: { title: 'To pay out by hand', empty: 'No payout or refund waits to be sent by hand.' },
  failed: { title: 'Failed payouts and refunds', empty: 'Nothing was refused or is late.' },
};

/** The reference of a transfer by hand may be any text. */
const caseKey = ({ way, id }: MoneyCase) => `${way} ${id}`;

/** One list of money out that waits for an admin, oldest first. */
export function MoneyCases({ list }: { list: keyof typeof casePages }) {
  const { items, more } = useLoadedPages(casePages[list], caseKey);
  const [chosen, setChosen] = useState<{ item: MoneyCase; step: MoneyCaseStep } | null>(null);
  const { title, empty } = lists[list];
  return (
    <section id={list satisfies Part | 'toPayOut'} aria-label={title} className="mb-8 scroll-mt-20">
      <h2 className="text-lg font-semibold">{title}</h2>
      {items.length === 0 && !more.hasMore && <p className="mt-1 text-ink-soft">{empty}</p>}
      <InfiniteList {...more}>
        <ul className="mt-3 divide-y divide-line overflow-hidden rounded-card border border-line bg-surface empty:hidden">
          {items.map((item) => (
            <CaseRow
              key={caseKey(item)}
              item={item}
              steps={caseSteps(list, item)}
              onChoose={(step) => setChosen({ item, step })}
            />
          ))}
        </ul>
      </InfiniteList>
      {chosen && (
        <Suspense>
          <MoneyCaseDialog {...chosen} onClose={() => setChosen(null)} />
        </Suspense>
      )}
    </section>
  );
}

/** Nothing can be sent until its receiver names a GCash number. */
const waitsForNumber = ({ way, number, atProvider }: MoneyCase) =>
  way === 'transfer' && number === null && atProvider === 'no';

const caseSteps = (list: keyof typeof casePages, item: MoneyCase): MoneyCaseStep[] => {
  const { way, attempts, atProvider } = item;
  if (list === 'toPayOut') return ['record'];
  if (way === 'hand') return ['lost', 'unsent'];
  if (waitsForNumber(item)) return [];
  if (atProvider === 'doubtful') return ['ask', 'sent', 'unsent'];
  if (atProvider !== 'no') return ['ask'];
  // What the provider never answered may still arrive the way it was paid.
  return way === 'provider' && attempts > 0 ? ['retry', 'byTransfer'] : ['retry'];
};

const stepLabels: Record<MoneyCaseStep, string> = {
  record: 'Record transfer',
  retry: 'Try again',
  ask: 'Ask the provider',
  byTransfer: 'By transfer',
  sent: 'It was sent',
  lost: 'Book as a loss',
  unsent: 'It did not leave',
};

const caseLabel = ({ way, id, purpose, number }: MoneyCase) => {
  if (way === 'hand') return `Sent by hand: ${id}`;
  if (way === 'provider') return 'Refund, the way it was paid';
  const what = purpose === 'refund' ? 'Refund by transfer' : 'Payout';
  return number === null ? `${what}, without a GCash number` : `${what} to GCash ${number}`;
};

/** Of what waits longer than an hour although nothing was refused, by whether the provider has it. */
const silentTexts: Record<MoneyCase['atProvider'], string> = {
  no: 'It was not sent within an hour.',
  maybe: 'It was sent, and the provider has not answered.',
  doubtful: 'It was sent more than 24 hours ago, and the provider has not answered.',
  yes: 'The provider has it, and has not said that it arrived.',
};

const silentText = (item: MoneyCase) =>
  waitsForNumber(item)
    ? `It is sent once ${item.receiverName} names a GCash number.`
    : silentTexts[item.atProvider];

interface CaseRowProps {
  item: MoneyCase;
  steps: MoneyCaseStep[];
  onChoose: (step: MoneyCaseStep) => void;
}

function CaseRow({ item, steps, onChoose }: CaseRowProps) {
  const { receiverName, amount, planTitle, attempts, createdAt } = item;
  const problem = item.problem ?? (steps.includes('record') ? null : silentText(item));
  return (
    <li className="flex flex-col gap-3 px-4 py-4 sm:flex-row sm:items-center">
      <div className="min-w-0 flex-1">
        <p className="flex items-baseline justify-between gap-3 font-semibold sm:justify-start">
          <span className="wrap-anywhere">{receiverName}</span>
          <Money pesos={amount} />
        </p>
        <p className="figures text-sm wrap-anywhere">{caseLabel(item)}</p>
        <p className="flex min-w-0 gap-1 text-sm text-ink-soft">
          <span className="truncate">
            <PlanTitle title={planTitle} />
          </span>
          · <TimeLabel iso={createdAt} />
        </p>
        {problem !== null && (
          <p className="mt-1 flex items-start gap-1.5 text-sm text-ember wrap-anywhere">
            <Icon of={CircleAlert} size={16} className="mt-0.5 shrink-0" />
            <span>
              {problem} {attempts > 1 && `Tried ${attempts} times.`}
            </span>
          </p>
        )}
      </div>
      <div className="flex flex-wrap gap-2">
        <Link
          to="/timeline/$id"
          params={{ id: item.interactionId }}
          aria-label={`Timeline: ${planTitle}`}
          className={buttonClass({ variant: 'ghost', size: 'sm' })}
        >
          Timeline
        </Link>
        {steps.map((step) => (
          <Button
            key={step}
            variant="secondary"
            size="sm"
            aria-label={`${stepLabels[step]}: ${receiverName}`}
            onClick={() => onChoose(step)}
          >
            {stepLabels[step]}
          </Button>
        ))}
      </div>
    </li>
  );
}

const countLabels: Record<string, string> = {
  transfers: 'Movements in the books',
  payments: 'Payments',
  disbursements: 'Payouts and refunds',
  providerPayments: 'Payments at the provider',
  providerRefunds: 'Refunds at the provider',
  providerTransfers: 'Transfers at the provider',
  providerDisputes: 'Card disputes at the provider',
};

/** When the ledger was last compared with itself and the provider, and what came of it. */
export function LedgerCheckCard() {
  const { check } = useLoaded(queryOf(adminMoney.ledgerCheck));
  return (
    <Card id={'books' satisfies Part} className="mt-4 scroll-mt-20">
      <h2 className="text-lg font-semibold">Last check of the books</h2>
      {check ? (
        <CheckResult check={check} />
      ) : (
        <p className="mt-1 text-ink-soft">
          The books are compared with the provider every night. The first time is still to come.
        </p>
      )}
    </Card>
  );
}

function CheckResult({ check: { checkedAt, counts, differences } }: { check: LedgerCheck }) {
  return (
    <>
      <p className="mt-1 text-sm text-ink-soft">
        <time dateTime={checkedAt}>{exactTime(checkedAt)}</time>
      </p>
      {differences.length === 0 ? (
        <p className="mt-3 flex items-start gap-2">
          <Icon of={CircleCheck} className="mt-0.5 shrink-0 text-leaf" />
          The books agree with the provider.
        </p>
      ) : (
        <ul aria-label="Differences" className="mt-3 divide-y divide-line rounded-control bg-ember-soft px-3">
          {differences.map(({ rule, subject, text }) => (
            <li key={`${rule} ${subject} ${text}`} className="py-2 wrap-anywhere">
              <p className="font-semibold">Not true: {rule}</p>
              <p className="figures text-sm">
                {subject}: {text}
              </p>
            </li>
          ))}
        </ul>
      )}
      <dl className="mt-4 grid gap-x-6 text-sm sm:grid-cols-2">
        {Object.entries(counts).map(([kind, count]) => (
          <div key={kind} className="flex justify-between gap-3 border-t border-line py-2">
            <dt className="text-ink-soft">{countLabels[kind] ?? kind}</dt>
            <dd className="figures">{count.toLocaleString('en-PH')}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}
