export {
  type PersonRow,
  personColumns,
  presentOwnProfile,
  presentPerson,
  presentProfile,
} from './present.ts';
export { profileRoutes } from './routes.ts';
export { friends, profiles } from './tables.ts';
export {
  announceProfileChange,
  befriend,
  markVerificationSent,
  setVerified,
} from './transitions.ts';
