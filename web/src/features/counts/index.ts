export { refreshCounts, useCounts, useCountUpdates, useUnreadPlanChats } from './counts.ts';
