export { firstCalls } from './first-calls.ts';
export { currentSession, endSession, sessionQuery, useSession } from './session.ts';
