export { currentSession, endSession, forgetSession, sessionQuery, useSession } from './session.ts';
