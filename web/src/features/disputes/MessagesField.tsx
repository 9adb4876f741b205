import { mostOf } from '@tara/contract/form-fields';
import { disputeMessageLimit } from '@tara/contract/limits';
import { disputes } from '@tara/contract/money/disputes';
import { useId, useState } from 'react';
import { type FieldValues, type Path, useController } from 'react-hook-form';
import type { FormHandle } from '../../lib/form.tsx';
import { queryOf, useRetryable } from '../../lib/queries.ts';
import { Button } from '../../ui/Button.tsx';
import { Checkbox } from '../../ui/Field.tsx';
import { Collapsible } from '../../ui/facts.tsx';
import { announce } from '../../ui/feedback.ts';
import { TimeLabel } from '../../ui/TimeLabel.tsx';

/** What the viewer can add to a dispute about a request. */
export const useOwnMessages = (interactionId: string) =>
  useRetryable(queryOf(disputes.ownMessages, { params: { id: interactionId } }));
type OwnMessages = ReturnType<typeof useOwnMessages>;

/** The chosen ones that can still be added: a draft may name one that was unsent since. */
export const addable = ({ data }: OwnMessages, chosen: readonly string[]): string[] =>
  chosen.filter((id) => data?.items.some((message) => message.id === id) ?? true);

interface MessagesFieldProps<In extends FieldValues, Out> {
  /** Who reads them. */
  readers: string;
  form: Pick<FormHandle<In, Out>, 'control'>;
  name: Path<In>;
  own: OwnMessages;
}

/** Messages of the viewer to add to a dispute: not shown when there are none. */
export function MessagesField<In extends FieldValues, Out>({
  readers,
  form,
  name,
  own,
}: MessagesFieldProps<In, Out>) {
  const { field, fieldState } = useController({ control: form.control, name });
  const [isOpen, setIsOpen] = useState<boolean>();
  const [refusal, setRefusal] = useState<string>();
  const errorId = useId();
  const { data, hasFailed, isFetching, retry } = own;
  if (hasFailed) {
    return (
      <div role="alert" className="flex flex-wrap items-center gap-x-3 gap-y-2 text-ink-soft">
        Your messages could not be loaded.
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
  const error = refusal ?? fieldState.error?.message;
  return (
    <Collapsible
      title={
        <span className="text-sm">
          Add messages of yours <span className="font-normal text-ink-soft">(optional)</span>
        </span>
      }
      open={error !== undefined || (isOpen ?? chosen.length > 0)}
      onOpenChange={setIsOpen}
    >
      <fieldset className="flex flex-col gap-1.5">
        <legend className="mb-1.5 text-sm text-ink-soft">
          Only what you wrote. {readers} It stays as it is now, also when you unsend it later.
        </legend>
        <ul className="max-h-80 overflow-y-auto overscroll-contain rounded-control border border-line px-3">
          {data.items.map(({ id, text, sentAt }) => (
            <li key={id}>
              <Checkbox
                label={<span className="line-clamp-4 wrap-anywhere whitespace-pre-line">{text}</span>}
                hint={<TimeLabel iso={sentAt} />}
                errorId={error ? errorId : undefined}
                checked={chosen.includes(id)}
                onBlur={field.onBlur}
                onChange={(event) => toggle(id, event.target.checked)}
              />
            </li>
          ))}
        </ul>
        <div className="flex min-h-[1lh] items-start justify-between gap-4 text-sm leading-hint">
          <p id={errorId} className="font-medium text-ember">
            {error}
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
