import { useRef } from 'react';
import { ConfirmDialog } from './ConfirmDialog.tsx';
import { type Question, question } from './confirm.ts';
import { useStore } from './store.ts';

/** Put once at the root: shows the questions of `confirm()`. */
export function ConfirmHost() {
  const asked = useStore(question);
  // Keeps the words while the dialog is on its way out.
  const latest = useRef<Question | null>(null);
  if (asked) latest.current = asked;
  const shown = latest.current;
  if (!shown) return null;
  const { answer, ...words } = shown;
  return (
    <ConfirmDialog
      {...words}
      open={asked !== null}
      onOpenChange={(open) => !open && answer(false)}
      onConfirm={() => answer(true)}
    />
  );
}
