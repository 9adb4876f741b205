import { getRouteApi, Link } from '@tanstack/react-router';
import { interactions, partyOf } from '@tara/contract/interactions/interactions';
import { disputePhotoLimit, disputeStoryLength } from '@tara/contract/limits';
import {
  AnswerFormFields,
  type DisputedRequest,
  DisputeFormFields,
  disputeReasons,
  disputes,
} from '@tara/contract/money/disputes';
import { channel } from '@tara/contract/wire/realtime';
import { LifeBuoy } from 'lucide-react';
import * as z from 'zod/mini';
import { call, errorNotice, isProblem } from '../../lib/call.ts';
import { useForm } from '../../lib/form.tsx';
import { Form, SelectField, SubmitButton, TextAreaField } from '../../lib/form-fields.tsx';
import { PhotosField, storedPhotos } from '../../lib/photos-field.tsx';
import { invalidate, queryOf, setQueryData, useLoaded } from '../../lib/queries.ts';
import { useRealtime } from '../../lib/realtime.ts';
import { useRefreshAt } from '../../lib/refresh.ts';
import { buttonClass } from '../../ui/Button.tsx';
import { money } from '../../ui/facts.tsx';
import { toast } from '../../ui/feedback.ts';
import { Card, EmptyState, Page } from '../../ui/Page.tsx';
import { useSession } from '../accounts/index.ts';
import { DecisionCard } from './DecisionCard.tsx';
import {
  addable,
  isUnsent,
  MessagesField,
  reloadMessages,
  unsentNotice,
  useOwnMessages,
} from './MessagesField.tsx';
import { Stories } from './Stories.tsx';

const route = getRouteApi('/_main/dispute/$id');

const disputeQuery = (id: string) => queryOf(disputes.get, { params: { id } });

/** Reads again what there is, and what can be added to it. */
const reload = () => invalidate(disputes.get, disputes.ownMessages);

/** `/dispute/{id}` of a request: the client says that there was a problem, the creator answers, both see what comes of it. */
export function DisputeScreen() {
  const { id } = route.useParams();
  const disputed = useLoaded(disputeQuery(id));
  useRealtime([channel.document('planInteractions', id)], () => void reload());
  const { request, dispute, decision } = disputed;
  useRefreshAt([request.changesAt], reload);
  return (
    <Page title={decision && !dispute ? 'The decision' : 'There was a problem'} width="form">
      <p className="mb-4 text-ink-soft wrap-anywhere">
        <span className="font-semibold text-ink">{request.planTitle}</span> · {request.whoSentReq.name} with{' '}
        {request.creator.name} · {money(request.price)}
      </p>
      <DisputeState disputed={disputed} />
    </Page>
  );
}

function DisputeState({ disputed: { request, dispute, decision } }: { disputed: DisputedRequest }) {
  const { account } = useSession();
  const party = partyOf(request, account.id);
  const names = { client: request.whoSentReq.name, creator: request.creator.name };
  const onSent = (changed: DisputedRequest) => {
    setQueryData(disputes.get, { params: { id: request.id } }, changed);
    void invalidate(interactions.interactionList, interactions.manager, interactions.interaction);
  };
  if (!dispute && !decision) {
    const verdict = request.can.dispute;
    if (verdict !== true) return <NoDispute reason={verdict} />;
    return (
      <div className="flex flex-col gap-4">
        <Card className="text-ink-soft">
          Tara holds {money(request.price)} until an admin has decided who gets it. {names.creator} reads what
          you write and can answer.
        </Card>
        <NewDisputeForm interactionId={request.id} other={names.creator} onSent={onSent} />
      </div>
    );
  }
  const mayAnswer = request.can.answerDispute === true;
  // It also ends without a decision, when the card issuer takes the payment back.
  const isOpen = request.stage === 'disputed';
  return (
    <div className="flex flex-col gap-4">
      {decision && (
        <DecisionCard decision={decision} hasFee={request.platformFeeBasisPoints > 0} {...names} />
      )}
      {dispute && <Stories dispute={dispute} {...names} isCreator={party === 'creator'} />}
      {mayAnswer && <NewAnswerForm interactionId={request.id} other={names.client} onSent={onSent} />}
      {isOpen && party === 'other' && (
        <Link
          to="/disputes"
          search={{ open: request.id }}
          className={`${buttonClass({ variant: 'secondary' })} self-start`}
        >
          Go to the decision
        </Link>
      )}
      {!decision && !isOpen && (
        <p role="status" className="rounded-card bg-sunken p-4">
          The card issuer took the payment back, so nothing is left to decide.
        </p>
      )}
      {isOpen && !mayAnswer && party !== 'other' && (
        <p role="status" className="rounded-card bg-lagoon-soft p-4">
          An admin decides next. Until then Tara holds {money(request.price)}. You get an email.
        </p>
      )}
    </div>
  );
}

const NoDispute = ({ reason }: { reason: string }) => (
  <EmptyState
    icon={LifeBuoy}
    title={reason}
    action={
      <Link to="/manage-plans" className={buttonClass({ variant: 'secondary' })}>
        Go to Plan Manager
      </Link>
    }
  />
);

// Unfinished uploads among the photos are left out.
const imageIds = z.pipe(z.array(z.string()), z.transform(storedPhotos));
const NewDisputeFields = z.strictObject({ ...DisputeFormFields.shape, imageIds });
const NewAnswerFields = z.strictObject({ ...AnswerFormFields.shape, imageIds });

interface DisputeFormProps {
  interactionId: string;
  /** Who reads it besides the admins. */
  other: string;
  onSent: (changed: DisputedRequest) => void;
}

/** The other side was faster, or an admin, or this was answered already: shows what is there now. */
function reloadWhenRefused(error: unknown) {
  if (isUnsent(error)) return unsentNotice;
  if (isProblem(error, 'interaction_not_allowed')) void reload();
  return errorNotice(error);
}

/** Who reads what one side of a dispute writes. */
const readBy = (other: string) =>
  `${other}, the admins, and a card issuer that disputes the payment read it.`;

const story = { name: 'story', limit: disputeStoryLength, rows: 6 } as const;

const photos = {
  name: 'imageIds',
  label: 'Photos',
  prompt: 'Add photos',
  hint: 'Such as of the place, or of messages.',
  limit: disputePhotoLimit,
} as const;

/** The client says what the problem was. */
export function NewDisputeForm({ interactionId, other, onSent }: DisputeFormProps) {
  const own = useOwnMessages(interactionId);
  const form = useForm({
    schema: NewDisputeFields,
    defaultValues: { reason: '', story: '', imageIds: [], messageIds: [] },
    draft: { key: `dispute:${interactionId}` },
    send: ({ messageIds, ...fields }) =>
      call(disputes.open, {
        body: { ...fields, messageIds: addable(own, messageIds), interactionId },
      }).catch(reloadMessages),
    onSuccess: (changed) => {
      toast({
        title: 'Your dispute is open',
        text: `${other} can answer, then an admin decides.`,
        tone: 'success',
      });
      onSent(changed);
    },
    failureNotice: reloadWhenRefused,
  });
  return (
    <Form form={form} className="flex flex-col gap-4">
      <SelectField
        form={form}
        name="reason"
        label="What was wrong?"
        prompt="Choose a reason"
        options={Object.entries(disputeReasons)}
      />
      <TextAreaField form={form} {...story} label="What happened?" hint={readBy(other)} />
      <MessagesField form={form} name="messageIds" own={own} />
      <PhotosField form={form} {...photos} />
      <SubmitButton form={form} block pendingLabel="Sending...">
        Open a dispute
      </SubmitButton>
    </Form>
  );
}

/** The creator answers. */
export function NewAnswerForm({ interactionId, other, onSent }: DisputeFormProps) {
  const own = useOwnMessages(interactionId);
  const form = useForm({
    schema: NewAnswerFields,
    defaultValues: { story: '', imageIds: [], messageIds: [] },
    draft: { key: `dispute-answer:${interactionId}` },
    question: () => ({
      title: 'Send your answer?',
      text: 'You cannot change it after.',
      confirmLabel: 'Send',
    }),
    send: ({ messageIds, ...fields }) =>
      call(disputes.answer, {
        body: { ...fields, messageIds: addable(own, messageIds), interactionId },
      }).catch(reloadMessages),
    onSuccess: (changed) => {
      toast({ title: 'Your answer is sent', text: 'An admin decides next.', tone: 'success' });
      onSent(changed);
    },
    failureNotice: reloadWhenRefused,
  });
  return (
    <Form form={form} className="flex flex-col gap-4">
      <TextAreaField
        form={form}
        {...story}
        label="Your answer"
        hint={`What happened from your side? ${readBy(other)}`}
      />
      <MessagesField form={form} name="messageIds" own={own} />
      <PhotosField form={form} {...photos} />
      <SubmitButton form={form} block pendingLabel="Sending...">
        Send the answer
      </SubmitButton>
    </Form>
  );
}
