export { currentSession, endSession, sessionQuery, useSession } from './session.ts';
