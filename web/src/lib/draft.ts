import { useLayoutEffect } from 'react';
import type { FieldValues, Path, UseFormReturn } from 'react-hook-form';
import { clearDraft, readDraftValues, writeDraftValues } from './draft-storage.ts';

export interface DraftOptions<In extends FieldValues> {
  /** Names the piece of work, e.g. `update-post:${id}`. */
  key: string;
  /** Stores these fields alone; all of them unless given. Never a password. */
  fields?: readonly Path<In>[] | undefined;
}

/**
 * Stores a form's values over a reload and a failed send, in this tab. Without `draft` nothing is stored. Call the
 * returned function once the work is saved.
 */
export function useDraft<In extends FieldValues, Out>(
  form: UseFormReturn<In, unknown, Out>,
  draft: DraftOptions<In> | undefined,
): () => void {
  const key = draft?.key;
  const fields = draft?.fields?.join();
  // Before the browser paints, so that the restored text causes no layout shift.
  useLayoutEffect(() => {
    if (key === undefined) return;
    const names = fields?.split(',');
    const isStored = (name: string) => name in form.getValues() && (names?.includes(name) ?? true);
    let isMounted = true;
    // After every layout effect: who watches a field subscribes in one, and would miss what is restored before.
    queueMicrotask(() => {
      for (const [name, value] of Object.entries(isMounted ? readDraftValues(key) : {})) {
        // Only fields that this form has: the draft of an older version may have others.
        if (isStored(name)) form.setValue(name as Path<In>, value as never, { shouldDirty: true });
      }
    });
    const unsubscribe = form.subscribe({
      formState: { values: true },
      callback: ({ values }) => {
        const stored = Object.entries(values).filter(([name]) => isStored(name));
        writeDraftValues(key, Object.fromEntries(stored));
      },
    });
    return () => {
      isMounted = false;
      unsubscribe();
    };
  }, [key, fields, form]);
  return () => key !== undefined && clearDraft(key);
}
