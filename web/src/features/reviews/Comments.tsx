import { commentLength, displayLength } from '@tara/contract/limits';
import type { Person } from '@tara/contract/members/profiles';
import { empty } from '@tara/contract/notices';
import {
  NewReviewComment,
  type Review,
  type ReviewComment,
  reviewCommentCan,
  reviews,
} from '@tara/contract/plans/reviews';
import { MessageCircle, SendHorizontal, Trash2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useWatch } from 'react-hook-form';
import * as z from 'zod/mini';
import { noticeSentence } from '../../lib/call.ts';
import { useForm } from '../../lib/form.tsx';
import { Form, SubmitButton, TextAreaField } from '../../lib/form-fields.tsx';
import { useCall, useLoadedPages } from '../../lib/queries.ts';
import { PersonAvatar, PersonLink } from '../../lib/stored-picture.tsx';
import { IconButton } from '../../ui/Button.tsx';
import { PersonName, truncate } from '../../ui/facts.tsx';
import { announce } from '../../ui/feedback.ts';
import { Icon } from '../../ui/Icon.tsx';
import { InfiniteList } from '../../ui/InfiniteList.tsx';
import { ConfirmDialog } from '../../ui/Overlays.tsx';
import { EmptyState } from '../../ui/Page.tsx';
import { RetryOrDiscard } from '../../ui/RetryOrDiscard.tsx';
import { TimeLabel } from '../../ui/TimeLabel.tsx';
import { useSession } from '../accounts/index.ts';
import { MemberMenu } from '../blocks/index.ts';
import {
  discardComment,
  type OutgoingComment,
  retryComment,
  sendComment,
  useCommentOutbox,
} from './comment-outbox.ts';
import { changeReview, commentPages, removeComment } from './review-cache.ts';

/** The comments on a review, newest first, and the form to write one: everyone may (§6). */
export function Comments({ review }: { review: Review }) {
  const { id, totalComments } = review;
  const { items, more } = useLoadedPages(commentPages(id));
  const arrived = new Set(items.map(({ clientKey }) => clientKey));
  const outgoing = useCommentOutbox().comments.filter(
    ({ reviewId, clientKey }) => reviewId === id && !arrived.has(clientKey),
  );
  return (
    <section aria-labelledby="comments" className="flex flex-col gap-4">
      <h2 id="comments" className="text-lg font-semibold">
        Comments{totalComments > 0 && <span className="font-normal text-ink-soft"> · {totalComments}</span>}
      </h2>
      <CommentForm reviewId={id} />
      {items.length === 0 && outgoing.length === 0 ? (
        <EmptyState
          icon={MessageCircle}
          title={empty.comments}
          text="Ask a question, or tell what you think. Every member can read it."
          className="py-6!"
        />
      ) : (
        <InfiniteList {...more}>
          <ul className="flex flex-col gap-5">
            {outgoing.toReversed().map((comment) => (
              <UnsentComment key={comment.clientKey} comment={comment} />
            ))}
            {items.map((comment) => (
              <StoredComment key={comment.id} comment={comment} totalComments={totalComments} />
            ))}
          </ul>
        </InfiniteList>
      )}
    </section>
  );
}

const CommentFields = z.pick(NewReviewComment, { body: true });

/** A comment is shown and sent at once; its text stays in the outbox until the server has it. */
function CommentForm({ reviewId }: { reviewId: string }) {
  const { profile } = useSession();
  const form = useForm({
    schema: CommentFields,
    defaultValues: { body: '' },
    draft: { key: `comment:${reviewId}` },
    leaveWarning: null,
    clears: true,
    send: async ({ body }) => sendComment(reviewId, body),
  });
  const body = useWatch({ control: form.control, name: 'body' });
  const submit = async () => {
    // Empty text is not sent, as in chats (§5).
    if (body.trim() !== '') await form.submit();
  };
  return (
    <Form form={{ ...form, submit }} label="Write a comment" className="flex gap-3">
      <PersonAvatar person={profile} size="sm" />
      <div className="flex min-w-0 flex-1 flex-col gap-1">
        <TextAreaField
          form={form}
          name="body"
          label="Comment"
          hideLabel
          {...(body === '' ? { lines: 0 } : {})}
          {...(body.length > commentLength * 0.8 ? { limit: commentLength } : {})}
          rows={1}
          maxRows={8}
          placeholder="Write a comment"
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
            event.preventDefault();
            void submit();
          }}
        />
        {body.trim() !== '' && (
          <SubmitButton
            form={form}
            size="sm"
            icon={<Icon of={SendHorizontal} size={16} />}
            className="self-end"
          >
            Send
          </SubmitButton>
        )}
      </div>
    </Form>
  );
}

interface CommentLayoutProps {
  comment: Pick<ReviewComment, 'createdAt' | 'body'>;
  person: Person;
  /** The name as it is shown, e.g. a link. */
  author: ReactNode;
  /** At the end of the first line, e.g. the actions of its writer. */
  actions?: ReactNode;
  /** Below the text. */
  children?: ReactNode;
}

function CommentLayout({
  comment: { createdAt, body },
  person,
  author,
  actions,
  children,
}: CommentLayoutProps) {
  return (
    <div className="flex gap-3">
      <PersonAvatar person={person} size="sm" />
      <div className="min-w-0 flex-1">
        <div className="flex min-h-9 items-center gap-2">
          <div className="flex min-w-0 flex-1 items-center gap-1.5 text-sm">
            {author}
            <span className="shrink-0 text-ink-soft">
              <TimeLabel iso={createdAt} />
            </span>
          </div>
          {actions}
        </div>
        <CommentText text={body} />
        {children}
      </div>
    </div>
  );
}

/** A comment's text: 150 characters until it is tapped (§9). */
function CommentText({ text }: { text: string }) {
  const [isOpen, setIsOpen] = useState(false);
  const preview = truncate(text, displayLength.comment);
  if (preview === text) return <p className="wrap-anywhere whitespace-pre-line">{text}</p>;
  return (
    <button
      type="button"
      aria-expanded={isOpen}
      onClick={() => setIsOpen(!isOpen)}
      className="block w-full rounded-control text-left wrap-anywhere whitespace-pre-line select-text"
    >
      {isOpen ? text : preview}{' '}
      <span className="text-sm font-semibold text-ink-soft">{isOpen ? 'Show less' : 'Show more'}</span>
    </button>
  );
}

function StoredComment({ comment, totalComments }: { comment: ReviewComment; totalComments: number }) {
  const { profile } = useSession();
  const { id, reviewId, creator } = comment;
  return (
    <li aria-label={`Comment by ${creator.name}`}>
      <CommentLayout
        comment={comment}
        person={creator}
        author={<PersonLink person={creator} />}
        actions={
          reviewCommentCan.delete(profile.id, comment) ? (
            <DeleteComment
              id={id}
              onDeleted={() => {
                removeComment(id);
                changeReview(reviewId, { totalComments: Math.max(0, totalComments - 1) });
              }}
            />
          ) : (
            <MemberMenu member={creator} target={{ kind: 'comment', recordId: id }} />
          )
        }
      />
    </li>
  );
}

/** Deletes the viewer's comment after a confirmation. */
function DeleteComment({ id, onDeleted }: { id: string; onDeleted: () => void }) {
  const [isAsking, setIsAsking] = useState(false);
  const remove = useCall(reviews.deleteComment, {
    onSuccess: () => {
      setIsAsking(false);
      onDeleted();
      announce('Your comment is deleted.');
    },
  });
  return (
    <>
      <IconButton label="Delete comment" size="sm" onClick={() => setIsAsking(true)}>
        <Icon of={Trash2} size={16} />
      </IconButton>
      <ConfirmDialog
        title="Delete this comment?"
        text="It cannot be brought back."
        open={isAsking}
        onOpenChange={setIsAsking}
        tone="danger"
        confirmLabel="Delete"
        pending={remove.isPending}
        onConfirm={() => remove.mutate({ body: { commentId: id } })}
      />
    </>
  );
}

/** A comment that is being sent, or that failed: then it can be sent again or discarded. */
function UnsentComment({ comment }: { comment: OutgoingComment }) {
  const { clientKey, failure } = comment;
  const { profile } = useSession();
  return (
    <li aria-label="Your comment, not sent yet" className={failure ? undefined : 'opacity-70'}>
      <CommentLayout
        comment={comment}
        person={profile}
        author={<PersonName person={profile} className="font-semibold" />}
      >
        {failure ? (
          <div role="alert" className="mt-1 flex flex-wrap items-center gap-2">
            <p className="text-sm font-medium text-ember">Not sent. {noticeSentence(failure)}</p>
            <RetryOrDiscard
              onRetry={() => retryComment(clientKey)}
              onDiscard={() => discardComment(clientKey)}
            />
          </div>
        ) : (
          <p className="text-sm text-ink-soft">Sending...</p>
        )}
      </CommentLayout>
    </li>
  );
}
