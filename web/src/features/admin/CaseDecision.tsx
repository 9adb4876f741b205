import { useNavigate } from '@tanstack/react-router';
import { decisionFormFields, requestCases } from '@tara/contract/disputes';
import type { Interaction } from '@tara/contract/interactions';
import { reportDetailLength } from '@tara/contract/limits';
import { centavos, readPrice } from '@tara/contract/plans';
import { useWatch } from 'react-hook-form';
import { call } from '../../lib/call.ts';
import { errorNotice, isProblem } from '../../lib/failure.ts';
import { useForm } from '../../lib/form.tsx';
import { Form, SelectField, SubmitButton, TextAreaField, TextField } from '../../lib/form-fields.tsx';
import { money } from '../../ui/facts.tsx';
import { toast } from '../../ui/feedback.ts';
import { removeFromList } from './remove-from-list.ts';

interface CaseDecisionProps {
  request: Interaction;
  list: 'disputes' | 'noAnswer';
}

const routes = { disputes: '/disputes', noAnswer: '/no-answer' } as const;

/** The form by which an admin decides who gets the money; it asks once more, and for the password. */
export function CaseDecision({ request, list }: CaseDecisionProps) {
  const { id, price, accepted, creator, whoSentReq: client } = request;
  const navigate = useNavigate();
  const leave = () => {
    removeFromList(requestCases[list], id);
    void navigate({ to: routes[list], replace: true });
  };
  const form = useForm({
    schema: decisionFormFields(price),
    defaultValues: { outcome: accepted ? '' : 'refund', refund: '', note: '' },
    question: ({ outcome, refund }) => ({
      title: 'Are you sure?',
      text: `${where(outcome, readPrice(refund) ?? 0)}. You will not be able to change it after.`,
      confirmLabel: 'Decide',
      tone: 'danger',
    }),
    send: ({ outcome, refund, note }) => {
      const part = outcome === 'split' ? { refundCentavos: centavos(readPrice(refund) ?? 0) } : {};
      return call(requestCases.decideRequest, { body: { interactionId: id, outcome, note, ...part } });
    },
    problemField: {},
    onSuccess: () => {
      toast({ title: 'The request is decided.', tone: 'success' });
      leave();
    },
    failureNotice: (error) => {
      // Such as that another admin has decided it meanwhile.
      if (isProblem(error, 'request_decision_not_possible', 'interaction_not_found')) leave();
      return errorNotice(error);
    },
  });
  const where = (outcome: string, refund: number) => {
    if (outcome === 'release') return `${money(price)} goes to ${creator.name}`;
    if (outcome === 'refund') return `${money(price)} goes back to ${client.name}`;
    return `${money(refund)} goes back to ${client.name} and ${money((centavos(price) - centavos(refund)) / 100)} to ${creator.name}`;
  };
  const [outcome, refund] = useWatch({ control: form.control, name: ['outcome', 'refund'] });
  const rest = centavos(price) - centavos(readPrice(refund) ?? 0);
  const isSplit = rest > 0 && rest < centavos(price);
  return (
    <Form form={form} label="Your decision" className="flex flex-col gap-3 border-t border-line pt-5">
      <SelectField
        form={form}
        name="outcome"
        label="What happens with the money?"
        hint={accepted ? undefined : 'The creator never accepted: the money can only go back.'}
        deps={['refund']}
      >
        {accepted && (
          <>
            <option value="" disabled>
              Choose
            </option>
            <option value="release">All of it to {creator.name}</option>
          </>
        )}
        <option value="refund">All of it back to {client.name}</option>
        {accepted && <option value="split">A part to each</option>}
      </SelectField>
      {outcome === 'split' && (
        <TextField
          form={form}
          name="refund"
          label={`Back to ${client.name}, in pesos`}
          hint={`Less than ${money(price)}. ${isSplit ? money(rest / 100) : 'The rest'} goes to ${creator.name}.`}
          inputMode="decimal"
        />
      )}
      <TextAreaField
        form={form}
        name="note"
        label="Reason"
        hint="Both parties read it."
        limit={reportDetailLength}
        rows={3}
      />
      <SubmitButton form={form} pendingLabel="Deciding...">
        Decide
      </SubmitButton>
    </Form>
  );
}
