import type { Interaction } from '@tara/contract/interactions/interactions';
import type { Stage } from '@tara/contract/interactions/stages';
import {
  Ban,
  BanknoteX,
  CheckCheck,
  CircleAlert,
  CircleCheck,
  CirclePause,
  CornerUpLeft,
  Handshake,
  Hourglass,
  type LucideIcon,
  PartyPopper,
  TicketX,
  Undo2,
} from 'lucide-react';
import type { Tone } from '../../ui/marks.tsx';

/** How a state of a request is shown: words, icon and tone. Those that ended say it as a stamp. */
export interface RequestLook {
  label: string;
  icon: LucideIcon;
  tone: Tone;
  isOver?: boolean;
}

const stageLooks: Record<Exclude<Stage, 'cancelled'>, RequestLook> = {
  requested: { label: 'requested', icon: Hourglass, tone: 'mango' },
  paid: { label: 'paid', icon: CircleCheck, tone: 'leaf' },
  accepted: { label: 'accepted', icon: CircleCheck, tone: 'lagoon' },
  ready: { label: 'all set', icon: CheckCheck, tone: 'leaf' },
  fulfilled: { label: 'fulfilled', icon: Handshake, tone: 'lagoon' },
  disputed: { label: 'problem', icon: CircleAlert, tone: 'ember' },
  completed: { label: 'completed', icon: PartyPopper, tone: 'leaf' },
};

const endLooks: Record<NonNullable<Interaction['cancelReason']>, RequestLook> = {
  withdrawn: { label: 'withdrawn', icon: CornerUpLeft, tone: 'neutral', isOver: true },
  declined: { label: 'declined', icon: TicketX, tone: 'neutral', isOver: true },
  cancelled: { label: 'cancelled', icon: Ban, tone: 'neutral', isOver: true },
  removed: { label: 'cancelled', icon: Ban, tone: 'neutral', isOver: true },
  unpaid: { label: 'expired', icon: Hourglass, tone: 'neutral', isOver: true },
  unanswered: { label: 'expired', icon: Hourglass, tone: 'neutral', isOver: true },
  time_taken: { label: 'expired', icon: Hourglass, tone: 'neutral', isOver: true },
  refunded: { label: 'refunded', icon: Undo2, tone: 'neutral', isOver: true },
  charged_back: { label: 'charged back', icon: BanknoteX, tone: 'neutral', isOver: true },
};

const paused: RequestLook = { label: 'paused', icon: CirclePause, tone: 'ember' };

/** The look of a request; a free one is paid from the beginning, which says nothing. */
export function requestLook({ stage, cancelReason, frozen, price }: Interaction): RequestLook {
  if (stage === 'cancelled') return endLooks[cancelReason ?? 'cancelled'];
  if (frozen) return paused;
  return stageLooks[stage === 'paid' && price === 0 ? 'requested' : stage];
}

export type StepState = 'done' | 'next' | 'later' | 'problem';

/**
 * The steps of a request as its ticket shows them. Payment and acceptance come in either order: what came first stands
 * first. A free plan is not paid.
 */
export function requestSteps(
  request: Pick<
    Interaction,
    'price' | 'paid' | 'accepted' | 'userSetDone' | 'completed' | 'reviewSubmitted' | 'stage' | 'frozen'
  >,
): { label: string; state: StepState }[] {
  const paid = { label: 'Paid', isDone: request.paid };
  const accepted = { label: 'Accepted', isDone: request.accepted };
  const both = request.accepted && !request.paid ? [accepted, paid] : [paid, accepted];
  const steps = [
    { label: 'Requested', isDone: true },
    ...(request.price === 0 ? [accepted] : both),
    { label: 'Met', isDone: request.userSetDone || request.completed },
    { label: 'Reviewed', isDone: request.reviewSubmitted },
  ];
  const next = steps.findIndex(({ isDone }) => !isDone);
  const isStopped = request.frozen || request.stage === 'disputed';
  return steps.map(({ label, isDone }, index) => ({
    label,
    state: isDone ? 'done' : index > next ? 'later' : isStopped ? 'problem' : 'next',
  }));
}
