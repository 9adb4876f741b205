/** Why a picture is not taken. */
export type ImageRejection = 'unsupported_type' | 'too_large' | 'unreadable' | 'too_many_pixels' | 'too_slow';

/** The upload is not a picture that can be stored; the one who sent it can do something about it (4xx). */
export class ImageRejected extends Error {
  override readonly name = 'ImageRejected';
  readonly reason: ImageRejection;

  constructor(reason: ImageRejection, options?: ErrorOptions) {
    super(`The picture was refused: ${reason}.`, options);
    this.reason = reason;
  }
}
