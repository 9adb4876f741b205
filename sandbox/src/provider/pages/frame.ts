import { type Html, html, layout } from '../../page/html.ts';

/** The wallets of the checkout, by their type on the wire. */
export const WALLETS: Record<string, string> = {
  gcash: 'GCash',
  grab_pay: 'GrabPay',
  paymaya: 'Maya',
  qrph: 'QR Ph',
};

export const RIBBON = 'Payment sandbox — no real money';

/** A narrow page with one card in it. */
export function cardPage(prefix: string, title: string, body: Html): Html {
  return layout({ title, prefix, ribbon: RIBBON, body: html`<div class="card">${body}</div>` });
}

/** The path of a return URL, or null unless the URL is on the payer's own server. */
export function returnPath(url: string, publicUrl: string, host: string | undefined): string | null {
  if (url === '' || !URL.canParse(url, publicUrl)) return null;
  const target = new URL(url, publicUrl);
  const base = new URL(publicUrl);
  const isOwn = target.host === base.host || target.host === host;
  if (!isOwn || !/^https?:$/.test(target.protocol)) return null;
  // Browsers read two slashes at the beginning as a host.
  if (target.pathname.startsWith('//') || target.pathname.startsWith('/\\')) return null;
  return target.pathname + target.search + target.hash;
}
