import type { ReactNode } from 'react';
import { createStore } from './store.ts';

export type ToastTone = 'info' | 'success' | 'danger';

export interface ToastOptions {
  title: string;
  text?: ReactNode;
  tone?: ToastTone;
  /** Milliseconds it stays; `Infinity` until dismissed. §9: 5000. */
  duration?: number;
  /** A button in the toast, e.g. 'Try again'. */
  action?: { label: string; onPress: () => void };
}
export interface QueuedToast extends ToastOptions {
  id: number;
}

export const TOAST_DURATION = 5000;
export const TOAST_SWIPE = 50;

/** Waiting toasts; the first is the one on screen (§9: one at a time). */
export const toasts = createStore<readonly QueuedToast[]>([]);
let last = 0;

/** Tells the person something, from anywhere in the program. The same words already waiting are not said twice. */
export function toast(options: ToastOptions): void {
  const waiting = toasts.get();
  const newest = waiting.at(-1);
  if (newest && newest.title === options.title && newest.text === options.text) return;
  last += 1;
  toasts.set([...waiting, { ...options, id: last }]);
}

/** Takes a toast off the screen and lets the next one in. */
export function dismissToast(id: number): void {
  toasts.set(toasts.get().filter((one) => one.id !== id));
}
