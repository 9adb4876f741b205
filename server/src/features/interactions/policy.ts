import { type Interaction, partyOf } from '@tara/contract/interactions';
import type { Viewer } from '../../platform/http/viewer.ts';

type Parties = Pick<Interaction, 'clientAccountId' | 'creatorAccountId'>;

/** A request and its money are for its two parties, and for an admin's work (decisions §2). */
export const mayReadInteraction = (viewer: Pick<Viewer, 'accountId' | 'admin'>, parties: Parties) =>
  viewer.admin || partyOf(parties, viewer.accountId) !== 'other';

/** The page where it is paid is the client's alone, while there is something to pay. */
export const maySeeCheckout = (accountId: string, request: Parties & { paid: boolean; cancelled: boolean }) =>
  partyOf(request, accountId) === 'client' && !request.paid && !request.cancelled;
