import { type Html, html } from '../../page/html.ts';
import { layout } from '../../page/layout.ts';

export const RIBBON = 'Payment sandbox — no real money';

/** A narrow page with one card in it. */
export function cardPage(prefix: string, title: string, body: Html): Html {
  return layout({ title, prefix, ribbon: RIBBON, body: html`<div class="card">${body}</div>` });
}

/** The address to go back to, if it is one of the server the payer is on: its path only, never another host. */
export function returnPath(address: string, publicUrl: string, host: string | undefined): string | null {
  if (address === '' || !URL.canParse(address, publicUrl)) return null;
  const target = new URL(address, publicUrl);
  const here = new URL(publicUrl);
  const own = target.host === here.host || target.host === host;
  if (!own || !/^https?:$/.test(target.protocol)) return null;
  // A path that begins with two slashes would be read as a host.
  if (target.pathname.startsWith('//') || target.pathname.startsWith('/\\')) return null;
  return target.pathname + target.search + target.hash;
}
