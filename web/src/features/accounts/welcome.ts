import type { SessionContext } from '@tara/contract/accounts/accounts';
import { takeDestination } from '../../lib/url.ts';
import { storedItem, storeItem } from '../../ui/browser-storage.ts';

/** How long after signing up the first steps are offered, in milliseconds: the mailed link may be opened later. */
const NEW_MS = 30 * 86_400_000;

const storageKey = (profileId: string) => `tara-welcome-${profileId}`;

/** Notes that this device has shown the member the first steps, which come once. */
export const markWelcomed = (profileId: string) => storeItem(storageKey(profileId), 'shown');

/**
 * Where a member goes on who has just confirmed the email or agreed to the terms: after signing up to the first steps, once
 * and while none of them is done; otherwise to where they wanted to go, by default home.
 */
export function nextAddress({ profile }: SessionContext): string {
  const { id, picture, city, hobby, createdAt } = profile;
  const isNew =
    picture.imageId === null &&
    city === '' &&
    hobby === '' &&
    Date.parse(createdAt) > Date.now() - NEW_MS &&
    storedItem(storageKey(id)) === null;
  return isNew ? '/welcome' : takeDestination();
}
