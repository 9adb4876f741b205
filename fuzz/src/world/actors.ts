import type { Owner } from '../checks/private.ts';
import type { ActorName } from '../inputs/input.ts';

/** The password of every actor, so that a valid password change has no effect. */
export const password = 'kape at pandesal 7';
/** The account of valid sign-ins; no actor uses its sessions. */
export const spareEmail = 'spare@fuzz.test';

/** The sender, with its session. */
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
