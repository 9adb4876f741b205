import { type Interaction, interactions } from '@tara/contract/interactions';
import { CalendarClock } from 'lucide-react';
import { useCall } from '../../lib/queries.ts';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { useSession } from '../accounts/index.ts';
import { upsertInteraction } from './interaction-cache.ts';
import { meetingLabel } from './meeting-day.ts';

export interface ProposalProps {
  request: Interaction;
  side: 'client' | 'creator' | 'other';
}

/** Whether a proposal of this side changes the day at once: the client's own, until the creator accepts. */
export const changesAtOnce = ({ request, side }: ProposalProps) => side === 'client' && !request.accepted;

export const proposeLabel = (props: ProposalProps) =>
  changesAtOnce(props) ? 'Change the day' : 'Propose another day';

/** The proposal that waits for an answer: the other party agrees or declines, its own side sees that it waits. */
export function OpenProposal({ request, side }: ProposalProps) {
  const { account } = useSession();
  const answered = {
    onSuccess: (changed: Interaction) => upsertInteraction(changed, account.id),
  };
  const agree = useCall(interactions.answerProposal, answered);
  const decline = useCall(interactions.answerProposal, answered);
  const { proposal } = request;
  if (!proposal || side === 'other') return null;
  const isOwn = proposal.by === side;
  const proposer = proposal.by === 'creator' ? request.creator.name : request.whoSentReq.name;
  const body = { interactionId: request.id, proposalId: proposal.id };
  return (
    <section
      aria-label="Proposed day"
      className="flex flex-col gap-3 rounded-control bg-mango-soft p-3 text-mango-ink"
    >
      <p className="flex items-start gap-3">
        <Icon of={CalendarClock} className="mt-0.5" />
        <span className="min-w-0 wrap-anywhere">
          <span className="font-semibold">
            {isOwn ? 'You proposed another day' : `${proposer} proposes another day`}
          </span>
          <span className="block text-ink">
            {meetingLabel(proposal.meetsAt, proposal.meetsUntil)}
            {proposal.place && `, ${proposal.place}`}
          </span>
          <span className="block text-sm">
            {isOwn
              ? 'It waits for an answer.'
              : request.accepted || side === 'creator'
                ? 'Nothing changes until you agree.'
                : 'When you agree, your request is accepted for this day.'}
          </span>
        </span>
      </p>
      {!isOwn && (
        <div className="flex flex-wrap gap-2">
          <Button
            size="sm"
            pending={agree.isPending}
            onClick={() => agree.mutate({ body: { ...body, answer: 'agree' } })}
          >
            Agree to this day
          </Button>
          <Button
            size="sm"
            variant="secondary"
            pending={decline.isPending}
            onClick={() => decline.mutate({ body: { ...body, answer: 'decline' } })}
          >
            {request.meetsAt ? 'Keep the day before' : 'Not this day'}
          </Button>
        </div>
      )}
    </section>
  );
}
