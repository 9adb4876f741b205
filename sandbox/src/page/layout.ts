import { type Html, html } from './html.ts';

export type PageOptions = {
  title: string;
  /** The plugin's prefix, such as `/sandbox/provider`. */
  prefix: string;
  /** The text of the banner that says that the page is a sandbox. */
  ribbon: string;
  body: Html;
  /** Wide for lists, otherwise one narrow card. */
  wide?: boolean;
};

/** The frame of every sandbox page. */
export function layout({ title, prefix, ribbon, body, wide }: PageOptions): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title}</title>
<link rel="stylesheet" href="${prefix}/sandbox.css">
</head>
<body>
<header class="ribbon"><p>${ribbon}</p></header>
<main class="${wide ? 'wide' : 'narrow'}">
${body}
</main>
</body>
</html>`;
}

/** Formats centavos as pesos: 150000 is `₱1,500.00`. */
export function peso(centavos: number): string {
  return new Intl.NumberFormat('en-PH', { style: 'currency', currency: 'PHP' }).format(centavos / 100);
}

/** A time in ms, formatted in UTC. */
export function moment(ms: number): Html {
  const iso = new Date(ms).toISOString();
  return html`<time datetime="${iso}">${iso.slice(0, 19).replace('T', ' ')}</time>`;
}
