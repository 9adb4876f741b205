export { firstCalls } from './first-calls.ts';
export { currentSession, endSession, forgetSession, sessionQuery, useSession } from './session.ts';
