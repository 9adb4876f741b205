import { create } from 'zustand';

interface PasswordPrompt {
  isOpen: boolean;
  /** Closes the prompt; true when the password was confirmed. */
  answer: (isConfirmed: boolean) => void;
}

export const usePasswordPrompt = create<PasswordPrompt>(() => ({ isOpen: false, answer: () => {} }));

let pendingPrompt: Promise<boolean> | undefined;

/** Prompts for the password once, also for several waiting calls. False if the person cancelled. */
export function promptPassword(): Promise<boolean> {
  pendingPrompt ??= new Promise<boolean>((resolve) => {
    usePasswordPrompt.setState({
      isOpen: true,
      answer(isConfirmed) {
        pendingPrompt = undefined;
        usePasswordPrompt.setState({ isOpen: false });
        resolve(isConfirmed);
      },
    });
  });
  return pendingPrompt;
}
