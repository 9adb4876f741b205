import { type Interaction, interactions } from '@tara/contract/interactions/interactions';
import { type MeetingForm, meetingFields, meetingTime } from '@tara/contract/interactions/meetings';
import type { Party } from '@tara/contract/interactions/stages';
import { meetingAheadDays, planLength, profileLength } from '@tara/contract/limits';
import { mobileNumber } from '@tara/contract/members/profiles';
import { RefundNumber } from '@tara/contract/money/payment-methods';
import { type PlanDetail, plans } from '@tara/contract/plans/plans';
import { useState } from 'react';
import { call } from '../../lib/call.ts';
import { type FormHandle, useForm } from '../../lib/form.tsx';
import { DateField, Form, SubmitButton, TextField } from '../../lib/form-fields.tsx';
import { queryOf, useOptional } from '../../lib/queries.ts';
import { Button } from '../../ui/Button.tsx';
import { toast } from '../../ui/feedback.ts';
import { ResponsiveDialog } from '../../ui/Overlays.tsx';
import { useSession } from '../accounts/index.ts';
import { upsertInteraction } from './interaction-cache.ts';
import { MeetingTimeField } from './MeetingTimeField.tsx';
import { appliesImmediately, proposeLabel } from './request-texts.ts';
import { freeMeetingForm } from './taken-times.ts';

interface MeetingFieldsProps {
  form: FormHandle<MeetingForm>;
  taken: PlanDetail['taken'];
  /** null for the viewer. */
  creatorName: string | null;
}

/** Day, time and place of a meeting, for a form with the schema `MeetingForm`, and when its creator is booked. */
function MeetingFields({ form, taken, creatorName }: MeetingFieldsProps) {
  // A day that begins while the form is open is refused by its own rule.
  const [[earliest, latest]] = useState(() =>
    [0, meetingAheadDays].map(
      (days) => meetingFields(new Date(Date.now() + days * 86_400_000).toISOString()).day,
    ),
  );
  return (
    <div className="flex flex-col gap-1">
      <div className="grid grid-cols-2 gap-3">
        <DateField form={form} name="day" label="Day" min={earliest} max={latest} lines={1} />
        <MeetingTimeField form={form} taken={taken} creatorName={creatorName} />
      </div>
      <TextField
        form={form}
        name="place"
        label="Place"
        hint="A public place that both of you know."
        limit={planLength.place}
      />
    </div>
  );
}

/** When the creator of a request is booked beside it, and how long its meeting takes; none until the plan is known. */
function useTakenTimes({ planId, meetsAt, meetsUntil }: Interaction) {
  const detail = useOptional(queryOf(plans.get, { params: { id: planId } }));
  return {
    taken: (detail?.taken ?? []).filter(({ from, until }) => from !== meetsAt || until !== meetsUntil),
    minutes:
      meetsAt && meetsUntil
        ? (Date.parse(meetsUntil) - Date.parse(meetsAt)) / 60_000
        : (detail?.plan.durationMinutes ?? 0),
  };
}

interface ProposeDayDialogProps {
  request: Interaction;
  side: Party;
  open: boolean;
  onClose: () => void;
}

/** Asks for another day, time and place. */
export function ProposeDayDialog({ request, side, open, onClose }: ProposeDayDialogProps) {
  const { account } = useSession();
  const other = side === 'creator' ? request.whoSentReq.name : request.creator.name;
  const isImmediate = appliesImmediately(request, side);
  const { taken, minutes } = useTakenTimes(request);
  const form = useForm({
    schema: freeMeetingForm(taken, minutes),
    defaultValues: {
      ...(request.meetsAt ? meetingFields(request.meetsAt) : { day: '', time: '' }),
      place: request.place,
    },
    leaveWarning: null,
    send: ({ day, time, place }) =>
      call(interactions.proposeDay, {
        body: { interactionId: request.id, meetsAt: meetingTime(day, time), place },
      }),
    problemField: { interaction_time_taken: 'time' },
    onSuccess: (changed) => {
      onClose();
      upsertInteraction(changed, account.id);
      toast({
        title: isImmediate ? 'The day is changed' : 'Your proposal is sent',
        text: `We told ${other}.`,
        tone: 'success',
      });
    },
  });
  return (
    <ResponsiveDialog
      open={open}
      onOpenChange={(next) => !next && onClose()}
      title={proposeLabel(request, side)}
      description={
        isImmediate
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
            {isImmediate ? 'Change the day' : 'Send proposal'}
          </SubmitButton>
        </>
      }
    >
      <Form form={form} label="Another day">
        <MeetingFields form={form} taken={taken} creatorName={side === 'creator' ? null : other} />
      </Form>
    </ResponsiveDialog>
  );
}

/**
 * Asks the client for the GCash number of a refund: before paying, when the payment's own method could no longer give
 * the money back, and when a refund waits for it.
 */
export function RefundNumberForm({ request }: { request: Interaction }) {
  const { account, profile } = useSession();
  const suggestion = mobileNumber('phoneNumber' in profile ? profile.phoneNumber : '') ?? '';
  const form = useForm({
    schema: RefundNumber,
    defaultValues: { number: request.refundNumber ?? suggestion },
    leaveWarning: null,
    send: ({ number }) => call(interactions.setRefundNumber, { body: { interactionId: request.id, number } }),
    onSuccess: (changed) => {
      upsertInteraction(changed, account.id);
      toast(
        changed.paid
          ? {
              title: 'Your refund is on its way',
              text: `It goes to ${changed.refundNumber} by GCash.`,
              tone: 'success',
            }
          : { title: 'The number is saved', text: 'You can pay now.', tone: 'success' },
      );
    },
  });
  return (
    <Form form={form}>
      <section
        aria-label="Number for refunds"
        className="flex flex-col gap-2 rounded-card border border-line bg-mango-soft p-3"
      >
        <p className="text-sm">{request.paid ? refundText(request) : paymentText}</p>
        <TextField
          form={form}
          name="number"
          label="GCash number"
          hint="A Philippine mobile number, such as 0917 123 4567. Only you and admins see it."
          limit={profileLength.phoneNumber}
          type="tel"
          inputMode="tel"
          autoComplete="tel"
          lines={2}
        />
        <SubmitButton form={form} pendingLabel="Saving…" className="self-start">
          {request.paid ? 'Refund to this number' : 'Save and pay next'}
        </SubmitButton>
      </section>
    </Form>
  );
}

const paymentText =
  'By the plan’s day, the way you pay may no longer take a refund. Name a GCash number first: if the plan does not happen, the money goes there.';

function refundText({ money: { refund } }: Interaction): string {
  return refund?.problem
    ? `Your refund could not be sent: ${refund.problem} Check the number, or name another one.`
    : 'Your payment’s own method no longer takes refunds. Name a GCash number and we send the money there.';
}
