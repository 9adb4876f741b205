import { type Interaction, interactions } from '@tara/contract/interactions';
import { MeetingForm, meetingFields, meetingTime } from '@tara/contract/meetings';
import { call } from '../../lib/call.ts';
import { useForm } from '../../lib/form.tsx';
import { Form, SubmitButton } from '../../lib/form-fields.tsx';
import { Button } from '../../ui/Button.tsx';
import { toast } from '../../ui/feedback.ts';
import { ResponsiveDialog } from '../../ui/Overlays.tsx';
import { useSession } from '../accounts/index.ts';
import { upsertInteraction } from './interaction-cache.ts';
import { MeetingFields } from './MeetingFields.tsx';
import { changesAtOnce, type ProposalProps, proposeLabel } from './OpenProposal.tsx';

/** Asks for another day, time and place. */
export default function ProposeDayDialog({
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
