import { zodResolver } from '@hookform/resolvers/zod';
import { type NavigateOptions, type RegisteredRouter, useBlocker, useNavigate } from '@tanstack/react-router';
import { timer } from '@tara/contract/limits';
import type { ProblemType } from '@tara/contract/problems';
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import {
  type Control,
  type DefaultValues,
  type FieldValues,
  type Path,
  type UseFormReturn,
  useForm as useHookForm,
} from 'react-hook-form';
import type * as z from 'zod/mini';
import { type ConfirmOptions, confirm, toast } from '../ui/feedback.ts';
import { useCountDown } from '../ui/TimeLabel.tsx';
import { errorNotice, errorSentence, isAbort, type Notice, noticeSentence, ProblemError } from './call.ts';
import { clearDraft, readDraftValues, writeDraftValues } from './draft-storage.ts';
import { queryOf } from './queries.ts';
import type { UploadState } from './upload.ts';

export interface Destination {
  to: keyof RegisteredRouter['routesByPath'];
  params?: { id: string };
  search?: Readonly<Record<string, string>>;
  replace?: boolean;
}

interface FormOptions<In extends FieldValues, Out, Reply> {
  /** Checks the values when the form is sent, and from then on at every change. */
  schema: z.core.$ZodType<Out, In>;
  defaultValues: In & DefaultValues<In>;
  /** What the person must confirm before the form is sent. */
  question?: (values: Out) => ConfirmOptions;
  /** Makes the call. Its errors are shown at the fields they name, otherwise in a toast. */
  send: (values: Out) => Promise<Reply>;
  onSuccess?: (reply: Reply, values: Out) => unknown;
  /** Where to go once the work is saved. Without it the form stays, with what was sent as its saved values. */
  leaveTo?: (reply: Reply) => Destination;
  /** The notice for an error that belongs to no field; null if it was already shown. */
  failureNotice?: (error: unknown) => Notice | null;
  /** Problems of the server that belong to one field. */
  problemField?: { [Type in ProblemType]?: Path<In> };
  /** The field that shows errors that belong to no other field, instead of a toast. */
  failureField?: Path<In>;
  /** Stores what is written until it is saved. */
  draft?: DraftOptions<In>;
  /** The text of the warning before leaving with unsaved work. By default, that the draft stays; null for no warning. */
  leaveWarning?: string | null;
  /** Empties the form after success. */
  clears?: boolean;
}

interface FormUpload {
  state: UploadState;
  /** Waits for the current upload; false if it failed. */
  settled: () => Promise<boolean>;
}

export interface FormHandle<In extends FieldValues, Out = unknown> {
  control: Control<In, unknown, Out>;
  /** `leaving` after success of a form that goes elsewhere, until it is gone. */
  status: 'idle' | 'sending' | 'leaving';
  /** Seconds until the server accepts another attempt; an earlier one would be refused, and perhaps make it more. */
  waitSeconds: number;
  submit: () => Promise<void>;
  /** Empties the form, and forgets its errors. */
  clear: () => void;
  /** Makes the form wait for an upload. Returns a function that undoes this. */
  addUpload: (upload: RefObject<FormUpload>) => () => void;
  element: RefObject<HTMLFormElement | null>;
}

const draftWarning = 'What you filled in stays here as a draft until you close this tab.';

/** A record for its form, read when the form is opened and not again: it must not start with stale text. */
export const formQueryOf: typeof queryOf = (endpoint, ...args) => ({
  ...queryOf(endpoint, ...args),
  staleTime: 0,
  refetchOnMount: false,
  refetchOnWindowFocus: false,
});

/** A `failureNotice` of §8, with the reason as its text. */
export const withReason = (notice: Notice) => (error: unknown) => ({
  ...notice,
  text: errorNotice(error).title,
});

/**
 * A form of the contract: checks, drafts, sends once, shows what is wrong, warns before unsaved work is left, and goes
 * on after success. Give it to `Form`, to the fields of `form-fields.tsx` and to `SubmitButton`.
 */
export function useForm<In extends FieldValues, Out, Reply>({
  schema,
  defaultValues,
  question,
  send,
  onSuccess,
  leaveTo,
  failureNotice = errorNotice,
  problemField = {},
  failureField,
  draft,
  leaveWarning = draft ? draftWarning : null,
  clears = false,
}: FormOptions<In, Out, Reply>): FormHandle<In, Out> {
  const form = useHookForm<In, unknown, Out>({
    defaultValues,
    resolver: zodResolver(schema),
    shouldFocusError: false,
  });
  const clearDraft = useDraft(form, draft);
  const navigate = useNavigate();
  const [status, setStatus] = useState<FormHandle<In>['status']>('idle');
  const [failedSubmits, setFailedSubmits] = useState(0);
  const wait = useCountDown(0);
  const isBusy = useRef(false);
  const isMounted = useRef(false);
  const element = useRef<HTMLFormElement>(null);
  const uploads = useRef(new Set<RefObject<FormUpload>>());

  useEffect(() => {
    isMounted.current = true;
    return () => {
      isMounted.current = false;
    };
  }, []);
  // After the errors are rendered, so that a screen reader reads the first invalid control with its error.
  useEffect(() => {
    if (failedSubmits === 0) return;
    const invalid = element.current?.querySelector<HTMLElement>('[aria-invalid=true]');
    // A group of choices takes the focus in its first one.
    (invalid?.role === 'radiogroup' ? invalid.querySelector('input') : invalid)?.focus();
  }, [failedSubmits]);

  const { isDirty } = form.formState;
  const isUnsaved = () =>
    status !== 'leaving' &&
    (isDirty || [...uploads.current].some(({ current }) => /uploading|failed/.test(current.state.step)));
  useBlocker({
    disabled: leaveWarning === null,
    enableBeforeUnload: isUnsaved,
    shouldBlockFn: async ({ current, next }) =>
      isUnsaved() &&
      // The skip link changes the hash alone.
      !isSameAddress(current, next) &&
      !(await confirm({
        title: 'Leave without saving?',
        text: leaveWarning,
        confirmLabel: 'Leave',
        cancelLabel: 'Stay',
        tone: 'danger',
      })),
  });

  const trySend = async (values: Out): Promise<boolean> => {
    if (question && !(await confirm(question(values)))) return false;
    let reply: Reply;
    try {
      reply = await send(values);
    } catch (error) {
      if (error instanceof ProblemError && error.retryAfterSeconds > 0) wait.restart(error.retryAfterSeconds);
      if (isAbort(error) || showFieldErrors(form, error, problemField)) return false;
      const notice = failureNotice(error);
      if (notice && failureField) form.setError(failureField, { message: noticeSentence(notice) });
      else if (notice) toast({ ...notice, tone: 'danger', durationMs: timer.formToastMs });
      return false;
    }
    if (clears) form.reset(defaultValues);
    else if (!leaveTo) form.reset(form.getValues());
    clearDraft();
    await onSuccess?.(reply, values);
    // Do not navigate if the person has left the form.
    if (leaveTo && isMounted.current) {
      setStatus('leaving');
      // `Destination` names a route of the router; its params are not tied to it by type.
      await navigate({ ...leaveTo(reply), ignoreBlocker: true } as NavigateOptions);
    }
    return true;
  };
  const submit = async () => {
    if (isBusy.current || wait.left > 0) return;
    isBusy.current = true;
    setStatus('sending');
    let isSent = false;
    try {
      const stored = await Promise.all([...uploads.current].map(({ current }) => current.settled()));
      await form.handleSubmit(async (values) => {
        isSent = stored.every(Boolean) && (await trySend(values));
      })();
    } finally {
      isBusy.current = isSent && leaveTo !== undefined;
      if (!isBusy.current) setStatus('idle');
      if (!isSent) setFailedSubmits((count) => count + 1);
    }
  };
  return {
    control: form.control,
    status,
    waitSeconds: wait.left,
    submit,
    clear: () => form.reset(defaultValues),
    addUpload(upload) {
      uploads.current.add(upload);
      return () => uploads.current.delete(upload);
    },
    element,
  };
}

interface Address {
  pathname: string;
  search: unknown;
}

const isSameAddress = (one: Address, other: Address) =>
  one.pathname === other.pathname && JSON.stringify(one.search) === JSON.stringify(other.search);

/** Shows the server's field errors at their fields; false if none of them is a field of this form. */
function showFieldErrors<In extends FieldValues, Out>(
  form: UseFormReturn<In, unknown, Out>,
  error: unknown,
  problemField: Partial<Record<string, Path<In>>>,
): boolean {
  const problem = error instanceof Error && error.cause instanceof ProblemError ? error.cause : error;
  if (!(problem instanceof ProblemError)) return false;
  const names = new Set(Object.keys(form.getValues()));
  const fieldErrors = Object.entries(problem.fields).filter(([name]) => names.has(name));
  const ownField = problemField[problem.type];
  if (ownField !== undefined) fieldErrors.push([ownField, errorSentence(problem)]);
  // The names are keys of the form's own values, checked above.
  for (const [name, message] of fieldErrors) form.setError(name as Path<In>, { type: 'server', message });
  return fieldErrors.length > 0;
}

export interface DraftOptions<In extends FieldValues> {
  /** Names the piece of work, e.g. `update-post:${id}`. */
  key: string;
  /** Stores these fields alone; all of them unless given. Never a password. */
  fields?: readonly Path<In>[] | undefined;
  /** Stores them with this account on this device, over tabs and days, until it signs out. */
  account?: string | undefined;
}

/**
 * Stores a form's values over a reload and a failed send, in this tab or on this device. Without `draft` nothing is
 * stored. Call the returned function once the work is saved.
 */
export function useDraft<In extends FieldValues, Out>(
  form: UseFormReturn<In, unknown, Out>,
  draft: DraftOptions<In> | undefined,
): () => void {
  const key = draft?.key;
  const account = draft?.account;
  const fields = draft?.fields?.join();
  // Before the browser paints, so that the restored text causes no layout shift.
  useLayoutEffect(() => {
    if (key === undefined) return;
    const names = fields?.split(',');
    const isStored = (name: string) => name in form.getValues() && (names?.includes(name) ?? true);
    let isMounted = true;
    // After every layout effect: watchers of a field subscribe in one, and would miss what is restored earlier.
    queueMicrotask(() => {
      for (const [name, value] of Object.entries(isMounted ? readDraftValues({ key, account }) : {})) {
        // Only fields that this form has: the draft of an older version may have others.
        if (isStored(name)) form.setValue(name as Path<In>, value as never, { shouldDirty: true });
      }
    });
    const unsubscribe = form.subscribe({
      formState: { values: true },
      callback: ({ values }) => {
        const stored = Object.entries(values).filter(([name]) => isStored(name));
        writeDraftValues({ key, account }, Object.fromEntries(stored));
      },
    });
    return () => {
      isMounted = false;
      unsubscribe();
    };
  }, [key, account, fields, form]);
  return () => key !== undefined && clearDraft({ key, account });
}
