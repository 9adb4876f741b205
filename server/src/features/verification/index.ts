export { acceptRequest, declineRequest } from './decide.ts';
export { sendRequest, verificationListedFor, verificationTasks, verificationVisibleTo } from './requests.ts';
export { verificationRoutes } from './routes.ts';
export { verifications } from './tables.ts';
