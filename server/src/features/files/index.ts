export {
  attachFile,
  describeFile,
  hideFile,
  notUsable,
  renameFile,
  showHiddenToAdmins,
  showToAdmins,
} from './attach.ts';
export {
  fileKeys,
  findChecksums,
  findReferences,
  identityFolder,
  isKept,
  mayBeIdentity,
  partKeys,
} from './objects.ts';
export { sendOutside } from './outside.ts';
export { findUnfinished, partUploads, removeUnfinished, type UploadRow } from './parts.ts';
export { adminReaders, fileAudience } from './policy.ts';
export { initialsPicture, type PictureRow, pictureColumns, picturesOf, presentPicture } from './present.ts';
export {
  type FileRow,
  originalPicture,
  ownFileId,
  pictureReads,
  type StoredPicture,
  variantOf,
} from './read.ts';
export { isGivenUp, releaseFile, removeOwnFiles, removeUpload, watchRemoved } from './release.ts';
export { fileTasks } from './sweep.ts';
export { files, objectRemovals, uploads } from './tables.ts';
export {
  checkUnused,
  type PartRange,
  partCount,
  readPartRange,
  resumableParts,
  storeUpload,
  tooLarge,
} from './upload.ts';
