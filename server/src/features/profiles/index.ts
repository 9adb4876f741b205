export {
  type PersonRow,
  personColumns,
  presentHiddenPerson,
  presentOwnProfile,
  presentPerson,
  presentRating,
} from './present.ts';
export { profileRoutes } from './routes.ts';
export { friends, profiles } from './tables.ts';
export {
  announceProfileChange,
  befriend,
  markVerificationSent,
  renameProfile,
  setBirthDate,
  setVerified,
} from './update.ts';
