/** The address of a preview in another quality, 0 to 100; other addresses stay as they are. */
export const withQuality = (src: string | null | undefined, quality: number) =>
  src?.replace(/([?&]quality=)\d+/, `$1${quality}`);
