export { attachFile, describeFile } from './attach.ts';
export { initialsPicture, type PictureRow, pictureColumns, presentPicture } from './present.ts';
export { fileTasks, releaseFile } from './release.ts';
export { files } from './tables.ts';
