export { upsertInteraction, useLiveRequests } from './interaction-cache.ts';
export { MeetingTimeField } from './MeetingTimeField.tsx';
export { DisputeLink } from './RequestCard.tsx';
export { FulfilButton, MoneyLine, PayButton } from './RequestMoney.tsx';
export { RequestSteps } from './RequestSteps.tsx';
export { dayLabel, meetingLabel, nextStep } from './request-texts.ts';
export { freeMeetingForm } from './taken-times.ts';
