import type { Interaction, MoneyState } from '@tara/contract/interactions';
import { Banknote, Gift, Hourglass, Lock, type LucideIcon, Undo2, Wallet } from 'lucide-react';
import { money } from '../../ui/Money.tsx';
import { StateLine } from '../../ui/StateLine.tsx';
import { TimeLabel } from '../../ui/TimeLabel.tsx';
import { exactTime } from '../../ui/time.ts';
import type { Tone } from '../../ui/tones.ts';

type Side = 'client' | 'creator' | 'other';
type Look = { icon: LucideIcon; tone: Tone; label: (names: Names) => string };
interface Names {
  side: Side;
  client: string;
  creator: string;
}

const looks: Record<MoneyState['state'], Look> = {
  free: { icon: Gift, tone: 'leaf', label: () => 'Free, nothing to pay' },
  unpaid: { icon: Banknote, tone: 'mango', label: () => 'Not paid yet' },
  held: { icon: Lock, tone: 'lagoon', label: () => 'Paid, held by Tara until the plan is confirmed' },
  owed: {
    icon: Hourglass,
    tone: 'lagoon',
    label: ({ side, creator }) => `Confirmed, on its way to ${side === 'creator' ? 'you' : creator}`,
  },
  paid_out: {
    icon: Wallet,
    tone: 'leaf',
    label: ({ side, creator }) => `Paid out to ${side === 'creator' ? 'you' : creator}`,
  },
  refunding: {
    icon: Undo2,
    tone: 'lagoon',
    label: ({ side, client }) => `Going back to ${side === 'client' ? 'you' : client}`,
  },
  refunded: {
    icon: Undo2,
    tone: 'leaf',
    label: ({ side, client }) => `Refunded to ${side === 'client' ? 'you' : client}`,
  },
};

/** Where the money of a request is, how much, and since when: one line per state, never ambiguous. Inside a StateList. */
export function MoneyLine({ request, side }: { request: Interaction; side: Side }) {
  const { state, amount, at, waitsUntil } = request.money;
  // Not 'yet': a cancelled request can no longer be paid.
  if (state === 'unpaid' && request.cancelled) {
    return <StateLine icon={Banknote} label="Nothing was paid" value={money(0)} />;
  }
  const { icon, tone, label } = looks[state];
  const names = { side, client: request.whoSentReq.name, creator: request.creator.name };
  return (
    <StateLine
      icon={icon}
      tone={tone}
      label={waitsUntil === null ? label(names) : `Confirmed, paid out after ${exactTime(waitsUntil)}`}
      value={state === 'free' ? 'Free' : money(amount)}
      when={at && <TimeLabel iso={at} />}
    />
  );
}
