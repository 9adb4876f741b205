import type { Counts } from './counts.ts';

/** How much waits for a member in all: what the window's title and the installed app's icon show. */
export const totalCount = ({ plans, conversations }: Pick<Counts, 'plans' | 'conversations'>): number =>
  plans + conversations;
