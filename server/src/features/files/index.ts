export {
  attachFile,
  describeFile,
  findOwnFile,
  hideFile,
  notUsable,
  showHiddenToAdmins,
  showToAdmins,
} from './attach.ts';
export { initialsPicture, type PictureRow, pictureColumns, presentPicture } from './present.ts';
export { pictureReads, type StoredPicture, variantOf } from './read.ts';
export { fileTasks, releaseFile, removeOwnFiles, removeUpload } from './release.ts';
export { files } from './tables.ts';
export { checkUnused, storeUpload, tooLarge } from './upload.ts';
