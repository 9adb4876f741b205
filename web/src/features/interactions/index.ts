export { upsertInteraction, useLiveRequests } from './interaction-cache.ts';
export { MoneyLine } from './MoneyLine.tsx';
export { PayButton } from './PayButton.tsx';
export { DisputeLink, FulfilButton } from './RequestButtons.tsx';
export { MeetingFields } from './RequestForms.tsx';
export { nextStep } from './request-texts.ts';
