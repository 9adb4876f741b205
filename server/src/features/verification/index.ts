export { acceptRequest, declineRequest } from './decide.ts';
export { verificationTasks } from './expire.ts';
export { sendRequest, verificationListedFor, verificationVisibleTo } from './requests.ts';
export { verificationRoutes } from './routes.ts';
export { verifications } from './tables.ts';
