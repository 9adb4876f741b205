import type { ReactNode } from 'react';
import { create } from 'zustand';

export interface ConfirmOptions {
  title: string;
  text?: ReactNode;
  confirmLabel: string;
  cancelLabel?: string;
  tone?: 'primary' | 'danger';
}

interface ConfirmState {
  /** The current question, or the last one while its dialog closes. */
  question: ConfirmOptions | null;
  isOpen: boolean;
  answer: (yes: boolean) => void;
}

export const useConfirm = create<ConfirmState>(() => ({ question: null, isOpen: false, answer: () => {} }));

/** Asks the person and resolves to their answer; a second question answers the first with no. */
export function confirm(question: ConfirmOptions): Promise<boolean> {
  useConfirm.getState().answer(false);
  return new Promise((resolve) => {
    useConfirm.setState({
      question,
      isOpen: true,
      answer(yes) {
        useConfirm.setState({ isOpen: false });
        resolve(yes);
      },
    });
  });
}
