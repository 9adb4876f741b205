import { VerificationForm } from '@tara/contract/verification';
import type { IdentityPhoto } from './use-identity-photos.ts';

interface SoFar {
  photos: readonly { label: IdentityPhoto['label']; photo: Pick<IdentityPhoto['photo'], 'id' | 'sending'> }[];
  address: string;
  accepted: boolean;
}

/** What the request still needs before it can be sent, said at its button; null when it is complete (§5). */
export function firstMissing({ photos, address, accepted }: SoFar): string | null {
  for (const { label, photo } of photos) {
    if (photo.sending) return `${label}: still being sent.`;
    if (!photo.id) return `${label}: please add a picture first.`;
  }
  const read = VerificationForm.shape.address.safeParse(address);
  if (!read.success) return read.error.issues[0]?.message ?? 'Please write your address first.';
  return accepted ? null : 'Please accept the terms and conditions first.';
}
