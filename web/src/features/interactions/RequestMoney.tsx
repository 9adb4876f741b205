import { Link } from '@tanstack/react-router';
import {
  type Interaction,
  interactions,
  type MoneyProgress,
  type MoneyState,
  platformFee,
} from '@tara/contract/interactions/interactions';
import type { Party } from '@tara/contract/interactions/stages';
import { areYouSure } from '@tara/contract/notices';
import { centavos, pesos } from '@tara/contract/plans/plans';
import {
  Banknote,
  CircleAlert,
  CircleCheck,
  CreditCard,
  Gift,
  Hourglass,
  Lock,
  type LucideIcon,
  Undo2,
  Wallet,
} from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { invalidate, useCall } from '../../lib/queries.ts';
import { Button, buttonClass, linkClass } from '../../ui/Button.tsx';
import { Money, money, StateLine } from '../../ui/facts.tsx';
import { confirm } from '../../ui/feedback.ts';
import { Icon } from '../../ui/Icon.tsx';
import type { Tone } from '../../ui/marks.tsx';
import { exactTime, TimeLabel } from '../../ui/TimeLabel.tsx';
import { useSession } from '../accounts/index.ts';
import { upsertInteraction } from './interaction-cache.ts';
import { type MoneyParties, refundLabel } from './request-texts.ts';

type Look = { icon: LucideIcon; tone: Tone; label: string };

const looks: Record<'free' | 'unpaid' | 'held', Look> = {
  free: { icon: Gift, tone: 'leaf', label: 'Free, nothing to pay' },
  unpaid: { icon: Banknote, tone: 'mango', label: 'Not paid yet' },
  held: { icon: Lock, tone: 'lagoon', label: 'Paid, held by Tara until the plan is confirmed' },
};

const disputedLook: Look = { ...looks.held, label: 'Paid, held by Tara until an admin has decided' };

interface MoneyLineProps {
  request: Interaction;
  side: Party;
}

/** Where the money of a request is, its amount and its time. A payout, a refund and what the card issuer took have a line each. Inside a StateList. */
export function MoneyLine({ request, side }: MoneyLineProps) {
  const { state, amount, at, payout, refund, takenBack } = request.money;
  // Not 'yet': a cancelled request can no longer be paid.
  if (state === 'unpaid' && request.cancelled) {
    return <StateLine icon={Banknote} label="Nothing was paid" value={money(0)} />;
  }
  const when = at && <TimeLabel iso={at} />;
  if (state === 'free' || state === 'unpaid' || state === 'held') {
    const look = state === 'held' && request.stage === 'disputed' ? disputedLook : looks[state];
    return <StateLine {...look} value={state === 'free' ? 'Free' : money(amount)} when={when} />;
  }
  const names = { side, client: request.whoSentReq.name, creator: request.creator.name };
  return (
    <>
      {payout && (
        <ProgressLine of={payout} side={side} label={payoutLabel(payout, names)} icon={Wallet} when={when} />
      )}
      {refund && (
        <ProgressLine of={refund} side={side} label={refundLabel(refund, names)} icon={Undo2} when={when} />
      )}
      {takenBack > 0 && <TakenBackLine of={takenBack} payout={payout} names={names} />}
      {!payout && !refund && takenBack === 0 && (
        <StateLine {...unsent(state, names)} value={money(amount)} when={when} />
      )}
    </>
  );
}

interface TakenBackLineProps {
  of: number;
  payout: MoneyProgress | null;
  names: MoneyParties;
}

/** What the card issuer took. A creator who was paid reads that it is Tara's loss. */
function TakenBackLine({ of: pesos, payout, names }: TakenBackLineProps) {
  const isTarasLoss = names.side === 'creator' && payout?.state === 'arrived';
  const { label, ...look } = unsent('charged_back', names);
  return (
    <StateLine
      {...look}
      label={
        <>
          {label}
          {isTarasLoss && <span className="block text-sm text-ink-soft">Your payout stays yours.</span>}
        </>
      }
      value={money(pesos)}
    />
  );
}

const tones: Record<MoneyProgress['state'], Tone> = {
  needs_number: 'mango',
  delayed: 'mango',
  frozen: 'mango',
  on_hold: 'mango',
  waiting: 'lagoon',
  sending: 'lagoon',
  refused: 'ember',
  arrived: 'leaf',
};

interface ProgressLineProps {
  of: MoneyProgress;
  side: Party;
  label: ReactNode;
  /** For money that arrived. */
  icon: LucideIcon;
  when: ReactNode;
}

/** A party reads why money was refused; what the provider does not answer meanwhile is for admins. */
function ProgressLine({ of: { state, amount, problem }, side, label, icon, when }: ProgressLineProps) {
  const isProblemShown = problem !== null && (state === 'refused' || side === 'other');
  const waits = state === 'refused' || state === 'needs_number' ? CircleAlert : Hourglass;
  return (
    <StateLine
      icon={state === 'arrived' ? icon : waits}
      tone={tones[state]}
      label={
        <>
          {label}
          {isProblemShown && <span className="block text-sm text-ink-soft">{problem}</span>}
        </>
      }
      value={money(amount)}
      when={state === 'arrived' && when}
    />
  );
}

function payoutLabel({ state, until }: MoneyProgress, { side, creator }: MoneyParties): ReactNode {
  const mine = side === 'creator';
  const whose = mine ? 'your' : `${creator}’s`;
  switch (state) {
    case 'needs_number':
      return mine ? (
        <>
          Waits for your number:{' '}
          <Link to="/update-profile" search={{ tab: 'info' }} className={linkClass}>
            name your GCash number
          </Link>
        </>
      ) : (
        `Confirmed, waits for ${creator}’s GCash number`
      );
    case 'delayed':
      return until === null
        ? `Confirmed, waits a day because ${whose} number changed`
        : `Confirmed, paid out after ${exactTime(until)}`;
    case 'frozen':
      return 'Stopped, because the card issuer disputes the payment';
    case 'on_hold':
      return 'Stopped while Tara checks the payment';
    case 'waiting':
      return `Confirmed, sent to ${whose} GCash next`;
    case 'sending':
      return `Sent, on its way to ${whose} GCash`;
    case 'refused':
      return mine ? (
        <>
          The payout was refused, and we try it again:{' '}
          <Link to="/update-profile" search={{ tab: 'info' }} className={linkClass}>
            check your GCash number
          </Link>
        </>
      ) : (
        `The payout to ${creator} was refused and is tried again`
      );
    case 'arrived':
      return `Paid out to ${mine ? 'you' : creator}`;
  }
}

/** For what the card issuer took, and for requests from before payouts and refunds were recorded. */
function unsent(
  state: Exclude<MoneyState['state'], keyof typeof looks>,
  { side, client, creator }: MoneyParties,
): Look {
  const payee = side === 'creator' ? 'you' : creator;
  const payer = side === 'client' ? 'you' : client;
  switch (state) {
    case 'owed':
      return { icon: Hourglass, tone: 'lagoon', label: `Confirmed, on its way to ${payee}` };
    case 'paid_out':
      return { icon: Wallet, tone: 'leaf', label: `Paid out to ${payee}` };
    case 'refunding':
      return { icon: Undo2, tone: 'lagoon', label: `Being refunded to ${payer}` };
    case 'refunded':
      return { icon: Undo2, tone: 'leaf', label: `Refunded to ${payer}` };
    case 'charged_back':
      return {
        icon: Undo2,
        tone: 'neutral',
        label:
          side === 'client'
            ? 'Given back to you by your card issuer'
            : `Taken back by the card issuer of ${client}`,
      };
  }
}

interface PayButtonProps {
  request: Interaction;
  tab: string;
  checking: boolean;
  /** Red, which a screen has once. */
  variant?: 'primary' | 'secondary';
}

/** Links to the provider's checkout; pending while the link is created or the payment is checked. */
export function PayButton({ request, tab, checking, variant = 'primary' }: PayButtonProps) {
  const verdict = request.can.pay;
  if (verdict !== true) {
    return <Button variant={variant} disabledReason={verdict}>{`Pay ${money(request.price)}`}</Button>;
  }
  if (request.needsRefundNumber) {
    return (
      <Button
        variant="secondary"
        disabledReason="Name a number for refunds first."
      >{`Pay ${money(request.price)}`}</Button>
    );
  }
  if (checking)
    return (
      <Button variant={variant} pending>
        Checking the payment…
      </Button>
    );
  if (request.checkoutUrl === null) return <PrepareButton request={request} variant={variant} />;
  return (
    <a
      href={checkoutUrlWithReturn(request.checkoutUrl, { tab, id: request.id })}
      className={buttonClass({ variant })}
    >
      <Icon of={CreditCard} />
      {`Pay ${money(request.price)}`}
    </a>
  );
}

/** How long a link may take to be made before the client can ask for it, in ms. */
const linkWaitMs = 8_000;

/** Shows that the link is being made; when it is late or cannot be made, it is asked for again (§8). */
function PrepareButton({ request, variant = 'primary' }: Pick<PayButtonProps, 'request' | 'variant'>) {
  const { account } = useSession();
  const [isLate, setIsLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsLate(true), linkWaitMs);
    return () => clearTimeout(timer);
  }, []);
  const prepare = useCall(interactions.checkPayment, {
    onSuccess: (changed) => upsertInteraction(changed, account.id),
  });
  if (!isLate || prepare.isPending)
    return (
      <Button variant={variant} pending>
        Preparing the payment…
      </Button>
    );
  return (
    <Button
      variant={variant}
      icon={<Icon of={CreditCard} />}
      onClick={() => prepare.mutate({ body: { interactionId: request.id } })}
    >
      Try again
    </Button>
  );
}

/** The URL of the provider's checkout, with the URL of the list to return to. `check` is the id of the request,
 * so that its payment is looked up on return.
 */
export function checkoutUrlWithReturn(checkoutUrl: string, { tab, id }: { tab: string; id: string }): string {
  const back = `/manage-plans?${new URLSearchParams({ tab, check: id })}`;
  const address = new URL(checkoutUrl);
  address.searchParams.set('return_url', back);
  return address.href;
}

/** Pesos that a creator gets: what is paid out, or before that of the whole price. */
export function afterFee({ price, platformFeeBasisPoints, money: { payout } }: Interaction): number {
  if (payout) return payout.amount;
  const whole = centavos(price);
  return pesos(whole - platformFee(whole, platformFeeBasisPoints));
}

interface FulfilButtonProps {
  /** The viewer is its client. */
  request: Interaction;
  size?: 'sm' | 'md';
  /** May be red, which a screen has once: from the plan's day on. */
  isLead?: boolean;
  onDone: (changed: Interaction) => void;
}

/** 'Plan is fulfilled' (§4): the main thing to do from the plan's day on, possible before. */
export function FulfilButton({ request, size = 'md', isLead = true, onDone }: FulfilButtonProps) {
  const done = useCall(interactions.markDone, {
    onSuccess: onDone,
    onError: () => invalidate(interactions.interactionList),
  });
  const verdict = request.can.fulfil;
  const fulfil = async () => {
    const isConfirmed = await confirm({
      ...areYouSure.fulfilPlan,
      text: (
        <>
          <span className="block">{areYouSure.fulfilPlan.text}</span>
          {!request.dayReached && (
            <span className="mt-2 block font-semibold text-ink">
              The agreed day has not come yet. Say so only once you have met.
            </span>
          )}
          <span className="mt-2 block">
            {request.price === 0 ? (
              'The plan is free: nothing is paid out.'
            ) : (
              <>
                {request.creator.name} receives <Money pesos={afterFee(request)} />
                {request.platformFeeBasisPoints > 0 && ', after Tara’s fee,'} once an admin has confirmed it.
              </>
            )}
          </span>
        </>
      ),
      confirmLabel: 'Plan is fulfilled',
    });
    if (isConfirmed) done.mutate({ body: { interactionId: request.id } });
  };
  return (
    <Button
      size={size}
      variant={isLead && request.dayReached ? 'primary' : 'secondary'}
      icon={<Icon of={CircleCheck} size={size === 'sm' ? 16 : 20} />}
      pending={done.isPending}
      disabledReason={verdict !== true && verdict}
      onClick={() => void fulfil()}
    >
      Plan is fulfilled
    </Button>
  );
}
