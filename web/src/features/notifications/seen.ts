import { counts } from '@tara/contract/counts';
import { notificationsPerCall } from '@tara/contract/limits';
import { notifications } from '@tara/contract/notifications/notifications';
import { create } from 'zustand';
import { afterPause } from '../../lib/after-pause.ts';
import { call } from '../../lib/call.ts';
import { invalidate } from '../../lib/queries.ts';

/** What was seen since the list was opened: shown as new until it is left, although it is read. */
export const useSeen = create<{ ids: ReadonlySet<string> }>(() => ({ ids: new Set() }));

/** What was seen and is not marked as read yet. */
const unsent = new Set<string>();

function send(): void {
  const ids = [...unsent].slice(0, notificationsPerCall);
  if (ids.length === 0) return;
  for (const id of ids) unsent.delete(id);
  if (unsent.size > 0) sendLater();
  // One that fails is marked when it is seen again.
  call(notifications.markRead, { body: { ids } }).then(
    () => invalidate(counts.own),
    () => undefined,
  );
}

const sendLater = afterPause(send);

/** Notes that the member saw a new notification: a moment later it is marked as read, with all others of that moment. */
export function noteSeen(id: string): void {
  if (useSeen.getState().ids.has(id) || document.visibilityState === 'hidden') return;
  useSeen.setState(({ ids }) => ({ ids: new Set([...ids, id]) }));
  unsent.add(id);
  sendLater();
}

/** All of the list is marked as read: nothing is new. */
export const forgetSeen = (): void => useSeen.setState({ ids: new Set() });

/** The list was left: what was seen in it is marked as read at once, and nothing is new when it is opened again. */
export function leaveSeen(): void {
  sendLater.cancel();
  send();
  forgetSeen();
}
