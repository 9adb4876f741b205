import { usePhotoUpload } from '../files/index.ts';

/** One of the three pictures of a request, with its words. */
export interface IdentityPhoto {
  label: string;
  prompt: string;
  photo: ReturnType<typeof usePhotoUpload>;
}

/** Front and back of the ID, and the member (§5). */
export function useIdentityPhotos(): [front: IdentityPhoto, back: IdentityPhoto, face: IdentityPhoto] {
  const front = usePhotoUpload('verificationFiles');
  const back = usePhotoUpload('verificationFiles');
  const face = usePhotoUpload('verificationFiles');
  return [
    { label: 'Front of your ID', prompt: 'Add the front', photo: front },
    { label: 'Back of your ID', prompt: 'Add the back', photo: back },
    { label: 'Photo of yourself', prompt: 'Add your photo', photo: face },
  ];
}
