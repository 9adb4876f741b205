export { currentSession, endSession, firstCalls, readSession, sessionQuery, useSession } from './session.ts';
