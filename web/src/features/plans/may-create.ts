import { notices } from '@tara/contract/notices';
import type { OwnProfile } from '@tara/contract/profiles';

interface Refusal {
  /** What the button reads instead of its label (§5). */
  button: string;
  notice: { title: string; text: string };
}

/** Why a member cannot add a plan now: not verified, or as many plans as they may have (§5). Null when they can. */
export function refusalToCreate(
  profile: Pick<OwnProfile, 'verified' | 'totalPlan' | 'limitedPlan'>,
): Refusal | null {
  if (profile.verified !== true) return { button: 'Not Verified!', notice: notices.unverifiedAction };
  if (profile.totalPlan >= profile.limitedPlan)
    return { button: 'Limited reach!', notice: notices.planLimit };
  return null;
}
