import { openStages, type Stage } from '@tara/contract/stages';
import type { Viewer } from '../../platform/http/viewer.ts';

/** The two members of a per-plan chat, as stored. */
export interface Parties {
  creatorId: string;
  clientId: string;
}

export const receiptCan = {
  /**
   * Whether the chat and its request are the viewer's. Nobody else learns that it exists, admins included: their work is on
   * the request (decisions §2). Its messages have the same rule, `chatCan.read`.
   */
  read: (viewer: Pick<Viewer, 'profileId'>, { creatorId, clientId }: Parties): boolean =>
    viewer.profileId === creatorId || viewer.profileId === clientId,
} as const;

/** Between members of whom one blocked the other the chat stays readable until its request is over (§6). */
export const isReachable = (stage: Stage, blocked: boolean): boolean =>
  !blocked || openStages.some((open) => open === stage);
