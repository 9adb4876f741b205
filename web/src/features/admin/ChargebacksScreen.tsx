import { Link } from '@tanstack/react-router';
import { type Chargeback, issuerReason, requestCases } from '@tara/contract/money/disputes';
import { CalendarClock, CreditCard, Lock, MessageSquareText, Tag } from 'lucide-react';
import { Suspense, useState } from 'react';
import { pagesOf, useLoadedPages } from '../../lib/queries.ts';
import { Button, buttonClass } from '../../ui/Button.tsx';
import { Fact, Money, money, StateLine, StateList } from '../../ui/facts.tsx';
import { lazyPart } from '../../ui/lazy-component.tsx';
import { Badge } from '../../ui/marks.tsx';
import { Card } from '../../ui/Page.tsx';
import { fullDate } from '../../ui/TimeLabel.tsx';
import { AdminQueue } from './AdminQueue.tsx';
import { AcceptedTerms, RequestHead, RequestRow, StepList } from './RequestParts.tsx';

const chargebackPages = pagesOf(requestCases.chargebacks);

const looks = {
  open: { label: 'open', tone: 'mango' },
  won: { label: 'won', tone: 'leaf' },
  lost: { label: 'lost', tone: 'guava' },
} as const;

/** `/chargebacks`: payments that the card issuer disputes or took back. */
export function ChargebacksScreen() {
  return (
    <AdminQueue
      route="/chargebacks"
      title="Chargebacks"
      list={useLoadedPages(chargebackPages)}
      icon={CreditCard}
      about="Payments that a card issuer disputes or took back appear here."
      choose={{ title: 'Choose a chargeback', text: 'See the evidence for the payment.' }}
      row={(item) => <ChargebackRow item={item} />}
      detail={(item) => <ChargebackDetail item={item} />}
    />
  );
}

function ChargebackRow({ item }: { item: Chargeback }) {
  const { request, amount, state, dueOn, isUnderReview, createdAt } = item;
  const { tone, label } = looks[state];
  return (
    <RequestRow request={request} since={createdAt}>
      <span className="flex items-baseline justify-between gap-2 text-sm text-ink-soft">
        <span className="truncate">
          <Money pesos={amount} /> · {request.whoSentReq.name}
        </span>
        <Badge tone={tone}>{label}</Badge>
      </span>
      {state === 'open' && (
        <span className="text-sm text-ink-soft">
          {isUnderReview ? 'The evidence was sent' : `Evidence is due by ${fullDate(dueOn)}`}
        </span>
      )}
    </RequestRow>
  );
}

/** One chargeback with the evidence, which is given to the issuer in the provider's dashboard. */
function ChargebackDetail({ item }: { item: Chargeback }) {
  const { id, request, amount, frozen, reason, paymentId, steps, terms, state, dueOn, isUnderReview } = item;
  return (
    <Card className="flex flex-col gap-5">
      <RequestHead request={request} />
      <StateList className="border-y border-line">
        <StateLine icon={Tag} label="Disputed amount" value={money(amount)} />
        {state === 'open' && !isUnderReview && (
          <StateLine icon={CalendarClock} label="Evidence is due by" value={fullDate(dueOn)} />
        )}
        {state === 'open' && <StateLine icon={Lock} label="Held until it is decided" value={money(frozen)} />}
        {reason && (
          <StateLine icon={MessageSquareText} label="Reason of the issuer" value={issuerReason(reason)} />
        )}
      </StateList>
      <dl className="flex flex-col gap-2">
        <Fact label="Chargeback">{id}</Fact>
        <Fact label="Payment">{paymentId}</Fact>
      </dl>
      <p className="rounded-control bg-sunken p-3">{chargebackText(item)}</p>
      <StepList steps={steps} />
      <AcceptedTerms terms={terms} />
      <div className="flex flex-wrap gap-2">
        <Link
          to="/case-file/$id"
          params={{ id }}
          className={buttonClass({ variant: 'secondary', size: 'sm' })}
        >
          Case file for the issuer
        </Link>
        <Link
          to="/timeline/$id"
          params={{ id: request.id }}
          className={buttonClass({ variant: 'secondary', size: 'sm' })}
        >
          Timeline
        </Link>
        {state === 'open' && <CorrectPayment chargeback={item} />}
      </div>
    </Card>
  );
}

const AssignDialog = lazyPart(async () => ({
  default: (await import('./MoneyDialogs.tsx')).AssignDialog,
}));
const ForeignDialog = lazyPart(async () => ({
  default: (await import('./MoneyDialogs.tsx')).ForeignDialog,
}));

/** Until the issuer decides, an admin can say that the dispute is about another payment, or about none of Tara. */
function CorrectPayment({ chargeback }: { chargeback: Chargeback }) {
  const [correction, setCorrection] = useState<'payment' | 'none' | null>(null);
  const shared = { dispute: chargeback, isCorrection: true, onClose: () => setCorrection(null) };
  return (
    <>
      <Button variant="secondary" size="sm" onClick={() => setCorrection('payment')}>
        It is about another payment
      </Button>
      <Button variant="secondary" size="sm" onClick={() => setCorrection('none')}>
        It is about no payment of Tara
      </Button>
      {correction && (
        <Suspense>
          {correction === 'payment' ? <AssignDialog {...shared} /> : <ForeignDialog {...shared} />}
        </Suspense>
      )}
    </>
  );
}

function chargebackText({ state, amount, frozen, isUnderReview }: Chargeback): string {
  if (state === 'won') return 'The issuer decided for Tara: the money is where it was before.';
  if (state === 'lost') return 'The issuer took the money back. What was paid out before is a loss for Tara.';
  const evidence = isUnderReview ? '' : ' Send the evidence to the issuer in the provider’s dashboard.';
  if (frozen >= amount) return `Nothing of it is paid out or refunded until the issuer decides.${evidence}`;
  const part = frozen > 0 ? 'A part of it' : 'All of it';
  return `${part} was paid out before or is on its way: what is lost of that is a loss for Tara.${evidence}`;
}
