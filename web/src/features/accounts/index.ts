export { firstCalls } from './first-calls.ts';
export { currentSession, endSession, readSession, sessionQuery, useSession } from './session.ts';
