import type { ReactNode } from 'react';
import { create } from 'zustand';

export type ToastTone = 'info' | 'success' | 'danger';

export interface ToastOptions {
  title: string;
  text?: ReactNode;
  tone?: ToastTone;
  /** Milliseconds it stays; `Infinity` until dismissed. §9: 5000. */
  durationMs?: number;
  /** A button in the toast, e.g. 'Try again'. */
  action?: { label: string; onPress: () => void };
}
export interface QueuedToast extends ToastOptions {
  id: number;
}

export const TOAST_DURATION_MS = 5000;
export const TOAST_SWIPE_PX = 50;

/** The toasts that wait and the one on screen (§9: one at a time). */
export const useToasts = create<{ queue: readonly QueuedToast[] }>(() => ({ queue: [] }));
let lastId = 0;

/** Shows a toast, from anywhere in the code. A toast equal to the last queued one is ignored. */
export function toast(options: ToastOptions): void {
  const { queue } = useToasts.getState();
  const newest = queue.at(-1);
  if (newest && newest.title === options.title && newest.text === options.text) return;
  lastId += 1;
  useToasts.setState({ queue: [...queue, { ...options, id: lastId }] });
}

/**
 * The toast on screen: the first of the queue. One that stays until it is dismissed gives way to all others, and comes
 * back after them.
 */
export const shownToast = (queue: readonly QueuedToast[]): QueuedToast | undefined =>
  queue.find(({ durationMs }) => durationMs !== Number.POSITIVE_INFINITY) ?? queue[0];

/** Takes the toasts of a notice away, once it no longer holds. */
export function dismissNotice({ title }: { title: string }): void {
  const { queue } = useToasts.getState();
  if (queue.some((item) => item.title === title))
    useToasts.setState({ queue: queue.filter((item) => item.title !== title) });
}

/** Takes a toast off the screen and lets the next one in. */
export function dismissToast(id: number): void {
  useToasts.setState(({ queue }) => ({ queue: queue.filter((item) => item.id !== id) }));
}

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

export const useAnnouncement = create(() => ({ text: '', turn: 0 }));

/** Announces a text to screen readers without showing it, e.g. 'New message from Ana'. */
export function announce(text: string): void {
  useAnnouncement.setState(({ turn }) => ({ text, turn: turn + 1 }));
}

/** Removes what was announced: whoever reads through the page later would meet an error that is mended by then. */
export const clearAnnouncement = () => useAnnouncement.setState({ text: '' });
