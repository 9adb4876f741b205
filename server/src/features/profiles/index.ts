export { announceFriends, befriend, removeFriends } from './friends.ts';
export {
  type PersonRow,
  personColumns,
  presentHiddenPerson,
  presentOwnProfile,
  presentPerson,
  presentRating,
} from './present.ts';
export { foremostPeople, hasConfirmedEmail } from './read.ts';
export { profileRoutes } from './routes.ts';
export { friends, profiles } from './tables.ts';
export {
  announceProfileChange,
  markVerificationSent,
  renameProfile,
  renewProfile,
  setBirthDate,
  setVerified,
  updateAbout,
  updatePicture,
} from './update.ts';
