import { createStore } from '../ui/store.ts';

/** The open prompt for the password; `answer(true)` once it was confirmed. Null while nothing waits for it. */
export const passwordPrompt = createStore<{ answer: (confirmed: boolean) => void } | null>(null);

let open: Promise<boolean> | undefined;

/** Asks for the password once, however many calls wait for it. False when the person cancelled. */
export function promptPassword(): Promise<boolean> {
  open ??= new Promise<boolean>((resolve) => {
    passwordPrompt.set({
      answer(confirmed) {
        open = undefined;
        passwordPrompt.set(null);
        resolve(confirmed);
      },
    });
  });
  return open;
}
