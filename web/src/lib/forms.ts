import { zodResolver } from '@hookform/resolvers/zod';
import { useBlocker } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { type FieldValues, type Path, type UseFormProps, type UseFormReturn, useForm } from 'react-hook-form';
import type * as z from 'zod/mini';
import { confirm } from '../ui/confirm.ts';
import { ProblemError } from './failure.ts';

/** A form checked by a schema of the contract: when a field is left, and then at every change. */
export function useZodForm<In extends FieldValues, Out>(
  schema: z.core.$ZodType<Out, In>,
  options: Omit<UseFormProps<In, unknown, Out>, 'resolver'>,
): UseFormReturn<In, unknown, Out> {
  return useForm<In, unknown, Out>({ mode: 'onTouched', ...options, resolver: zodResolver(schema) });
}

/**
 * Shows the rules that the server found broken at their fields and moves to the first.
 * False when none of them is a field of this form: then tell the failure otherwise.
 */
export function showFieldErrors<In extends FieldValues, Out>(
  form: UseFormReturn<In, unknown, Out>,
  error: unknown,
): boolean {
  if (!(error instanceof ProblemError)) return false;
  const names = new Set(Object.keys(form.getValues()));
  const broken = Object.entries(error.fields).filter(([name]) => names.has(name));
  for (const [place, [name, message]] of broken.entries()) {
    // A key of the form's own values, checked above.
    form.setError(name as Path<In>, { type: 'server', message }, { shouldFocus: place === 0 });
  }
  return broken.length > 0;
}

/** True of every form with `useDraft`. */
const draftStays = 'What you filled in stays here as a draft until you close this tab.';

/**
 * Asks before leaving with unsaved work, within the app and when the tab is closed. `fate` says what becomes of the
 * work, for forms that do not keep all of it as a draft.
 */
export function useUnsavedWarning(unsaved: boolean, fate = draftStays): void {
  useBlocker({
    disabled: !unsaved,
    enableBeforeUnload: unsaved,
    shouldBlockFn: async () =>
      !(await confirm({
        title: 'Leave without saving?',
        text: fate,
        confirmLabel: 'Leave',
        cancelLabel: 'Stay',
        tone: 'danger',
      })),
  });
}

function stored(key: string): Record<string, unknown> | null {
  try {
    const found: unknown = JSON.parse(sessionStorage.getItem(key) ?? 'null');
    return typeof found === 'object' && found !== null ? { ...found } : null;
  } catch {
    // Storage can be forbidden or its text foreign: then there is no draft.
    return null;
  }
}

/**
 * Keeps a form's text over a reload and a failed send, in this tab only. Call the returned function once the work
 * is sent. Not for forms with a password.
 */
export function useDraft<In extends FieldValues, Out>(
  key: string,
  form: UseFormReturn<In, unknown, Out>,
): () => void {
  const name = `draft:${key}`;
  const sent = useRef(false);
  useEffect(() => {
    sent.current = false;
    const draft = stored(name);
    for (const [field, value] of Object.entries(draft ?? {})) {
      // Only fields this form has: an older version's draft may know others.
      if (field in form.getValues()) form.setValue(field as Path<In>, value as never, { shouldDirty: true });
    }
    return form.subscribe({
      formState: { values: true },
      callback: ({ values }) => {
        if (sent.current) return;
        try {
          sessionStorage.setItem(name, JSON.stringify(values));
        } catch {
          // Full or forbidden: the form still works.
        }
      },
    });
  }, [name, form]);
  return () => {
    sent.current = true;
    try {
      sessionStorage.removeItem(name);
    } catch {
      // As above.
    }
  };
}
