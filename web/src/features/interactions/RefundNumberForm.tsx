import { type Interaction, interactions } from '@tara/contract/interactions';
import { profileLength } from '@tara/contract/limits';
import { RefundNumber } from '@tara/contract/payment-methods';
import { mobileNumber } from '@tara/contract/profiles';
import { call } from '../../lib/call.ts';
import { useForm } from '../../lib/form.tsx';
import { Form, SubmitButton, TextField } from '../../lib/form-fields.tsx';
import { toast } from '../../ui/feedback.ts';
import { useSession } from '../accounts/index.ts';
import { upsertInteraction } from './interaction-cache.ts';

/**
 * Asks the client for the GCash number of a refund: before paying, when the payment's own method could no longer give
 * the money back, and when a refund waits for it.
 */
export default function RefundNumberForm({ request }: { request: Interaction }) {
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
