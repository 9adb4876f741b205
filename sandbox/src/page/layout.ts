import { type Html, html } from './html.ts';

export type PageParts = {
  title: string;
  /** Where the plugin is mounted, such as `/sandbox/provider`. */
  prefix: string;
  /** The words of the ribbon that tells that nothing here is real. */
  ribbon: string;
  body: Html;
  /** Wide pages are lists; the others are one narrow card. */
  wide?: boolean;
};

/** The frame of every sandbox page. */
export function layout({ title, prefix, ribbon, body, wide }: PageParts): Html {
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

/** `₱1,500.00` of 150000 centavos. */
export function peso(centavos: number): string {
  return new Intl.NumberFormat('en-PH', { style: 'currency', currency: 'PHP' }).format(centavos / 100);
}

/** A moment for people, in UTC, from ms. */
export function moment(ms: number): Html {
  const iso = new Date(ms).toISOString();
  return html`<time datetime="${iso}">${iso.slice(0, 19).replace('T', ' ')}</time>`;
}
