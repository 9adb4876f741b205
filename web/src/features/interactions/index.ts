export { upsertInteraction, useLiveRequests } from './interaction-cache.ts';
export { DisputeLink } from './RequestCard.tsx';
export { MeetingFields } from './RequestForms.tsx';
export { FulfilButton, MoneyLine, PayButton } from './RequestMoney.tsx';
export { nextStep } from './request-texts.ts';
