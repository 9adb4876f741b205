import { mostOf } from '@tara/contract/form-fields';
import { disputeMessageLimit, disputeMessagesOffered } from '@tara/contract/limits';
import { disputes } from '@tara/contract/money/disputes';
import { clsx } from 'clsx';
import { useId, useState } from 'react';
import { type FieldValues, type Path, useController } from 'react-hook-form';
import { isProblem } from '../../lib/call.ts';
import type { FormHandle } from '../../lib/form.tsx';
import { invalidate, queryOf, useRetryable } from '../../lib/queries.ts';
import { Button } from '../../ui/Button.tsx';
import { Checkbox } from '../../ui/Field.tsx';
import { Collapsible } from '../../ui/facts.tsx';
import { announce } from '../../ui/feedback.ts';
import { exactTime } from '../../ui/TimeLabel.tsx';

/** What the viewer can add to a dispute about a request. */
export const useOwnMessages = (interactionId: string) =>
  useRetryable(queryOf(disputes.ownMessages, { params: { id: interactionId } }));
type OwnMessages = ReturnType<typeof useOwnMessages>;

/** The chosen ones that are added: a draft may name one that was unsent since. None when they could not be loaded; while they are loaded all. */
export const addable = ({ data, hasFailed }: OwnMessages, chosen: readonly string[]): string[] =>
  chosen.filter((id) => data?.items.some((message) => message.id === id) ?? !hasFailed);

/** A message that was chosen was unsent before it was sent. */
class UnsentMessage extends Error {
  override name = 'UnsentMessage';
}
export const unsentNotice = {
  title: 'A message that you chose was unsent',
  text: 'It is not added any more. Check what you chose, then send again.',
};
export const isUnsent = (error: unknown): boolean => error instanceof UnsentMessage;

/** For the error of a form: when one of the messages cannot be added any more, reads again which can. @throws it, or that one was unsent */
export function reloadMessages(error: unknown): never {
  if (!isProblem(error, 'general_argument_invalid') || error.fields.messageIds === undefined) throw error;
  void invalidate(disputes.ownMessages);
  throw new UnsentMessage();
}

interface MessagesFieldProps<In extends FieldValues, Out> {
  form: Pick<FormHandle<In, Out>, 'control'>;
  name: Path<In>;
  own: OwnMessages;
}

/** Messages of the viewer to add to a dispute: not shown when there are none. */
export function MessagesField<In extends FieldValues, Out>({ form, name, own }: MessagesFieldProps<In, Out>) {
  const { field } = useController({ control: form.control, name });
  const [isOpen, setIsOpen] = useState(false);
  const [refusal, setRefusal] = useState<string>();
  const errorId = useId();
  const { data, hasFailed, isFetching, retry } = own;
  if (hasFailed) {
    return (
      <div role="alert" className="flex flex-wrap items-center gap-x-3 gap-y-2 text-ink-soft">
        Your messages could not be loaded, so none is added.
        <Button variant="secondary" size="sm" pending={isFetching} onClick={retry}>
          Try again
        </Button>
      </div>
    );
  }
  if (data === null || data.items.length === 0) return null;
  const chosen = addable(own, field.value);
  const toggle = (id: string, isChosen: boolean) => {
    const others = chosen.filter((other) => other !== id);
    const isRefused = isChosen && others.length >= disputeMessageLimit;
    setRefusal(isRefused ? limitRule : undefined);
    if (isRefused) announce(limitRule);
    else field.onChange(isChosen ? [...others, id] : others);
  };
  return (
    <Collapsible
      title={
        <span className="text-sm">
          Add your messages{' '}
          <span className="font-normal text-ink-soft">
            {chosen.length === 0 ? '(optional)' : `· ${chosen.length} chosen`}
          </span>
        </span>
      }
      open={isOpen}
      onOpenChange={setIsOpen}
    >
      <fieldset className="flex flex-col gap-1.5" aria-describedby={errorId}>
        <legend className="mb-1.5 text-sm text-ink-soft">
          Only texts that you wrote{data.hasMore && `, the newest ${disputeMessagesOffered}`}. We keep a copy
          of each as it is then, even if you unsend the message later.
        </legend>
        <ul className="max-h-80 overflow-y-auto overscroll-contain rounded-control border border-line px-3">
          {data.items.map(({ id, text, sentAt }) => {
            const isChosen = chosen.includes(id);
            return (
              <li key={id}>
                <Checkbox
                  label={
                    <span className={clsx('wrap-anywhere whitespace-pre-line', !isChosen && 'line-clamp-4')}>
                      {text}
                    </span>
                  }
                  hint={exactTime(sentAt)}
                  checked={isChosen}
                  onBlur={field.onBlur}
                  onChange={(event) => toggle(id, event.target.checked)}
                />
              </li>
            );
          })}
        </ul>
        <div className="flex min-h-[1lh] items-start justify-between gap-4 text-sm leading-hint">
          <p id={errorId} className="font-medium text-ember">
            {refusal}
          </p>
          <span aria-hidden="true" className="figures shrink-0 text-ink-soft">
            {chosen.length}/{disputeMessageLimit}
          </span>
        </div>
      </fieldset>
    </Collapsible>
  );
}

const limitRule = mostOf(disputeMessageLimit, 'messages');
