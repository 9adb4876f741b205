import { type Interaction, partyOf } from '@tara/contract/interactions/interactions';
import { reportDetailLength } from '@tara/contract/limits';
import {
  decisionFormFields,
  disputeReasons,
  type RequestCase,
  requestCases,
} from '@tara/contract/money/disputes';
import { centavos, readPrice } from '@tara/contract/plans/plans';
import { useWatch } from 'react-hook-form';
import { call, errorNotice, isProblem } from '../../lib/call.ts';
import { useForm } from '../../lib/form.tsx';
import { Form, SelectField, SubmitButton, TextAreaField, TextField } from '../../lib/form-fields.tsx';
import { useCall } from '../../lib/queries.ts';
import { Money, money } from '../../ui/facts.tsx';
import { toast } from '../../ui/feedback.ts';
import { Card } from '../../ui/Page.tsx';
import { useSession } from '../accounts/index.ts';
import { Stories } from '../disputes/index.ts';
import { AuditedPlanChat, irreversible, UndecidableNote, useLeave } from './AdminQueue.tsx';
import { AcceptedTerms, RequestHead, RequestMoney, RequestRow, StepList } from './RequestParts.tsx';

/** A row of a list of cases. */
export function CaseRow({ item: { request, dispute, steps } }: { item: RequestCase }) {
  const since = dispute?.client.createdAt ?? request.dayStartsAt ?? steps[0]?.at ?? request.createdAt;
  return (
    <RequestRow request={request} since={since}>
      <span className="block truncate text-sm text-ink-soft">
        {request.whoSentReq.name} with {request.creator.name}
      </span>
      <span className="block truncate text-sm text-ink-soft">
        <Money pesos={request.price} /> ·{' '}
        {dispute ? disputeReasons[dispute.reason] : answerLabel(request.creatorMet)}
      </span>
    </RequestRow>
  );
}

const answerLabel = (creatorMet: boolean) =>
  creatorMet ? 'The creator said that they met' : 'Neither said anything';

/** One request with what happened when, what both say, the plan chat, and the decision. */
export function CaseDetail({ item, list }: { item: RequestCase; list: 'disputes' | 'noAnswer' }) {
  const { request, dispute, steps, terms } = item;
  const { account } = useSession();
  const step = list === 'disputes' ? 'decideDispute' : 'decideNoAnswer';
  const party = partyOf(request, account.id);
  const verdict = request.can[step];
  return (
    <Card className="flex flex-col gap-5">
      <RequestHead request={request} />
      <RequestMoney request={request} />
      {dispute ? (
        <Stories
          dispute={dispute}
          headingLevel={3}
          client={request.whoSentReq.name}
          creator={request.creator.name}
        />
      ) : (
        <p className="rounded-control bg-sunken p-3">
          {request.creatorMet
            ? `${request.creator.name} said that they met. ${request.whoSentReq.name} said nothing.`
            : 'Neither of the two said whether they met.'}
        </p>
      )}
      <StepList steps={steps} />
      <AcceptedTerms terms={terms} />
      {party === 'other' && request.conversationReceipt && <CaseChat interactionId={request.id} />}
      {verdict === true ? (
        <CaseDecision request={request} list={list} />
      ) : (
        <UndecidableNote reason={verdict} />
      )}
    </Card>
  );
}

function CaseChat({ interactionId }: { interactionId: string }) {
  const { mutate, isPending } = useCall(requestCases.planChat, {});
  return (
    <AuditedPlanChat
      isPending={isPending}
      read={(where, onSuccess) => mutate({ body: { interactionId, ...where } }, { onSuccess })}
    />
  );
}

interface CaseDecisionProps {
  request: Interaction;
  list: 'disputes' | 'noAnswer';
}

const routes = { disputes: '/disputes', noAnswer: '/no-answer' } as const;

/** The form by which an admin decides who gets the money; it asks once more, and for the password. */
function CaseDecision({ request, list }: CaseDecisionProps) {
  const { id, price, accepted, creator, whoSentReq: client } = request;
  const leave = useLeave(routes[list], requestCases[list], id);
  const form = useForm({
    schema: decisionFormFields(price),
    defaultValues: { outcome: accepted ? '' : 'refund', refund: '', note: '' },
    question: ({ outcome, refund }) => ({
      title: 'Are you sure?',
      text: `${where(outcome, readPrice(refund) ?? 0)}. ${irreversible}`,
      confirmLabel: 'Decide',
      tone: 'danger',
    }),
    send: ({ outcome, refund, note }) => {
      const part = outcome === 'split' ? { refundCentavos: centavos(readPrice(refund) ?? 0) } : {};
      return call(requestCases.decideRequest, { body: { interactionId: id, outcome, note, ...part } });
    },
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
  const release = ['release', `All of it to ${creator.name}`] as const;
  const refundAll = ['refund', `All of it back to ${client.name}`] as const;
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
        options={accepted ? [release, refundAll, ['split', 'A part to each']] : [refundAll]}
        {...(accepted && { prompt: 'Choose' })}
      />
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
