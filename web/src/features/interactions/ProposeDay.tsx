import { type Interaction, interactions } from '@tara/contract/interactions';
import { MeetingForm, meetingFields, meetingTime } from '@tara/contract/meetings';
import { CalendarClock } from 'lucide-react';
import { call } from '../../lib/call.ts';
import { Form, SubmitButton, useForm } from '../../lib/form.tsx';
import { useCall } from '../../lib/queries.ts';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { ResponsiveDialog } from '../../ui/ResponsiveDialog.tsx';
import { toast } from '../../ui/toast.ts';
import { useSession } from '../accounts/index.ts';
import { upsertInteraction } from './interaction-cache.ts';
import { MeetingFields } from './MeetingFields.tsx';
import { meetingLabel } from './meeting-day.ts';

interface ProposalProps {
  request: Interaction;
  side: 'client' | 'creator' | 'other';
}

/** Whether a proposal of this side changes the day at once: the client's own, until the creator accepts. */
const changesAtOnce = ({ request, side }: ProposalProps) => side === 'client' && !request.accepted;

export const proposeLabel = (props: ProposalProps) =>
  changesAtOnce(props) ? 'Change the day' : 'Propose another day';

/** Asks for another day, time and place. */
export function ProposeDayDialog({
  open,
  onClose,
  ...props
}: ProposalProps & { open: boolean; onClose: () => void }) {
  const { request, side } = props;
  const other = side === 'creator' ? request.whoSentReq.name : request.creator.name;
  const atOnce = changesAtOnce(props);
  const form = useForm({
    schema: MeetingForm,
    defaultValues: {
      ...(request.meetsAt ? meetingFields(request.meetsAt) : { day: '', time: '' }),
      place: request.place,
    },
    leaveWarning: null,
    send: ({ day, time, place }) =>
      call(interactions.proposeDay, {
        body: { interactionId: request.id, meetsAt: meetingTime(day, time), place },
      }),
    problemField: { interaction_time_taken: 'day' },
    onSuccess: (changed) => {
      onClose();
      upsertChanged(changed);
      toast({
        title: atOnce ? 'The day is changed' : 'Your proposal is sent',
        text: `We told ${other}.`,
        tone: 'success',
      });
    },
  });
  const { account } = useSession();
  const upsertChanged = (changed: Interaction) => upsertInteraction(changed, account.id);
  return (
    <ResponsiveDialog
      open={open}
      onOpenChange={(next) => !next && onClose()}
      title={proposeLabel(props)}
      description={
        atOnce
          ? `${other} then accepts or proposes another.`
          : side === 'creator' && !request.accepted
            ? `When ${other} agrees, the request is accepted for this day.`
            : `Nothing changes until ${other} agrees.`
      }
      actions={
        <>
          <Button variant="secondary" onClick={onClose}>
            Back
          </Button>
          <SubmitButton form={form} pendingLabel="Sending…" onClick={() => void form.submit()}>
            {atOnce ? 'Change the day' : 'Send proposal'}
          </SubmitButton>
        </>
      }
    >
      <Form form={form} label="Another day">
        <MeetingFields form={form} />
      </Form>
    </ResponsiveDialog>
  );
}

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
