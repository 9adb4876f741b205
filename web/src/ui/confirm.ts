import type { ReactNode } from 'react';
import { createStore } from './store.ts';

export interface ConfirmOptions {
  title: string;
  text?: ReactNode;
  confirmLabel: string;
  cancelLabel?: string;
  tone?: 'primary' | 'danger';
}
export interface Question extends ConfirmOptions {
  answer: (yes: boolean) => void;
}

export const question = createStore<Question | null>(null);

/** Asks the person and resolves to their answer; a second question answers the first with no. */
export function confirm(options: ConfirmOptions): Promise<boolean> {
  question.get()?.answer(false);
  return new Promise((resolve) => {
    question.set({
      ...options,
      answer(yes) {
        question.set(null);
        resolve(yes);
      },
    });
  });
}
