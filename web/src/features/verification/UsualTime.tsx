import { verification } from '@tara/contract/members/verification';
import { queryOf, useOptional } from '../../lib/queries.ts';

/** How long a verification usually takes, which changes slowly. */
export const usualTimeQuery = { ...queryOf(verification.usualTime), staleTime: 600_000 };

/** Such as 'within 4 hours'. */
export function usualTimeText(minutes: number): string {
  const hours = Math.ceil(minutes / 60);
  if (hours <= 1) return 'within an hour';
  return hours <= 24 ? `within ${hours} hours` : `within ${Math.ceil(hours / 24)} days`;
}

/** Says how long a verification usually takes; nothing while too few were accepted to say so. */
export function UsualTime() {
  const minutes = useOptional(usualTimeQuery)?.minutes ?? null;
  return minutes === null ? null : <>An admin usually answers {usualTimeText(minutes)}.</>;
}
