import { type Interaction, partyOf } from '@tara/contract/interactions/interactions';
import { openStages, type Stage } from '@tara/contract/interactions/stages';
import type { Viewer } from '../../platform/http/viewer.ts';

/** Between members of whom one blocked the other the plan chat stays readable until its request is over (§6). */
export const isPlanChatReadable = (stage: Stage, blocked: boolean): boolean =>
  !blocked || openStages.some((open) => open === stage);

type Parties = Pick<Interaction, 'clientAccountId' | 'creatorAccountId'>;

/** Who sees a request; what they may do with it is in `steps.ts` of the contract. */
export const interactionCan = {
  /** A request and its money are for its two parties, and for an admin's work (decisions §2). */
  read: (viewer: Pick<Viewer, 'accountId' | 'admin'>, parties: Parties): boolean =>
    viewer.admin || partyOf(parties, viewer.accountId) !== 'other',
  /** The page where it is paid is the client's alone, while there is something to pay. */
  seeCheckout: (
    viewer: Pick<Viewer, 'accountId'>,
    request: Parties & { paid: boolean; cancelled: boolean },
  ): boolean => partyOf(request, viewer.accountId) === 'client' && !request.paid && !request.cancelled,
} as const;
