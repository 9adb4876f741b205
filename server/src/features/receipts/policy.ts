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
