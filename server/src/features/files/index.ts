export { initialsPicture, type PictureRow, pictureColumns, presentPicture } from './present.ts';
export { files } from './tables.ts';
