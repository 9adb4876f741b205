import { readFile } from 'node:fs/promises';
import sharp, { type Sharp } from 'sharp';

const folder = `${import.meta.dirname}/pictures`;
/** The drawn portrait of a member by the key; null where there is none. */
export const readPortrait = (key: string): Promise<string | null> =>
  readFile(`${folder}/portrait-${key}.svg`, 'utf8').catch(() => null);

/** An identity card that no country issues, with the portrait of a member. */
const identityCard = (
  portrait: string,
) => `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 960 606" width="960" height="606">
<path d="M0 0h960v606H0Z" fill="#e2e9f1"/><path d="M0 0h960v150H0Z" fill="#2f6d87"/>
<path d="M64 60h250M64 94h150M392 262h380M392 322h430M392 382h290M392 442h340" stroke="#fff" stroke-width="20" stroke-linecap="round" opacity=".6"/>
<path d="M392 262h380M392 322h430M392 382h290M392 442h340" stroke="#93a9b8" stroke-width="20" stroke-linecap="round"/>
<svg x="64" y="214" width="270" height="320" viewBox="0 0 640 640" preserveAspectRatio="xMidYMid slice">${portrait}</svg></svg>`;

/** A picture of the demo world by its name: a photo, a portrait, or the front of a member's identity card. */
export async function demoPicture(name: string): Promise<Sharp> {
  const [, kind, key = ''] = /^(portrait|id-front)-(.+)$/.exec(name) ?? [];
  if (kind === undefined) return sharp(`${folder}/${name}.webp`);
  const portrait = await readPortrait(key);
  if (portrait === null) throw new Error(`The demo world has no portrait of ${key}.`);
  return sharp(Buffer.from(kind === 'portrait' ? portrait : identityCard(portrait)));
}
