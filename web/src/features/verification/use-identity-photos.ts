import { useIdentityPhoto } from './use-identity-photo.ts';

/** One of the three pictures of a request, with its words. */
export interface IdentityPhoto {
  label: string;
  prompt: string;
  photo: ReturnType<typeof useIdentityPhoto>;
}

/** Front and back of the ID, and the member (§5). */
export function useIdentityPhotos(): [front: IdentityPhoto, back: IdentityPhoto, face: IdentityPhoto] {
  const front = useIdentityPhoto();
  const back = useIdentityPhoto();
  const face = useIdentityPhoto();
  return [
    { label: 'Front of your ID', prompt: 'Add the front', photo: front },
    { label: 'Back of your ID', prompt: 'Add the back', photo: back },
    { label: 'Photo of yourself', prompt: 'Add your photo', photo: face },
  ];
}
