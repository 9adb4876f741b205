import type { Owner } from '../checks/private.ts';
import type { ActorName } from '../inputs/input.ts';

/** Everybody's password, so that a valid change of it changes nothing. */
export const password = 'kape at pandesal 7';
/** The account that valid sign-ins use: its sessions are nobody's. */
export const spareEmail = 'spare@fuzz.test';

/** Who sends, with the session that they send by. */
export interface Actor {
  name: ActorName;
  /** Null for a guest. */
  session: string | null;
  /** Null for a guest. */
  owner: Owner | null;
  /** Signs in again, for when an input ended the session. */
  renew(): Promise<void>;
}

export const guest: Actor = { name: 'guest', session: null, owner: null, renew: async () => {} };
