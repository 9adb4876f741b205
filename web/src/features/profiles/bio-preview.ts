import { displayLength } from '@tara/contract/limits';

/** The first 41 characters of a longer bio (§9). Counts code points, so that an emoji is one character. */
export function bioPreview(bio: string): string {
  const characters = [...bio];
  return characters.length > displayLength.bio ? `${characters.slice(0, displayLength.bio).join('')}…` : bio;
}
