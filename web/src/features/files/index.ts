export { usePhotoUpload } from './use-photo-upload.ts';
