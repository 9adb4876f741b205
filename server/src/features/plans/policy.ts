import { planCan as contractCan } from '@tara/contract/plans/plans';
import type { Viewer } from '../../platform/http/viewer.ts';

/** What the contract says, and what only the server decides. Every member reads plans (§6). */
export const planCan = {
  ...contractCan,
  /** What a plan earned is shown to its creator alone (decisions §2). */
  seeEarned: (viewer: Pick<Viewer, 'profileId'>, plan: { creatorId: string }): boolean =>
    plan.creatorId === viewer.profileId,
} as const;
