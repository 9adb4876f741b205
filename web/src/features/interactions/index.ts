export { DisputeLink } from './DisputeLink.tsx';
export { FulfilButton } from './FulfilButton.tsx';
export { upsertInteraction } from './interaction-cache.ts';
export { useLiveRequests } from './live-requests.ts';
export { MeetingFields } from './MeetingFields.tsx';
export { MoneyLine } from './MoneyLine.tsx';
export { nextStep } from './next-step.ts';
export { PayButton } from './PayButton.tsx';
