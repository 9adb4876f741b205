import { thumbHashToDataURL } from 'thumbhash';

const known = new Map<string, string | null>();
const MOST = 500;

/** A base64 thumbhash as the address of a tiny blurred picture; null when it is none. */
export function thumbhashUrl(hash: string | null | undefined): string | null {
  if (!hash) return null;
  const found = known.get(hash);
  if (found !== undefined) return found;
  let url: string | null = null;
  try {
    url = thumbHashToDataURL(Uint8Array.from(atob(hash), (sign) => sign.charCodeAt(0)));
  } catch {
    // A broken placeholder is no reason to break the page.
  }
  if (known.size >= MOST) known.clear();
  known.set(hash, url);
  return url;
}
