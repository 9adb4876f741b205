import { escape as escapeHtml } from 'html-escaper';

/** HTML that is safe to send: built only by the `html` tag. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

type Part = string | number | null | undefined | false | Html | readonly Html[];

/** Builds HTML; every value is escaped unless it is `Html`. */
export function html(strings: TemplateStringsArray, ...parts: Part[]): Html {
  let text = strings[0] ?? '';
  parts.forEach((part, index) => {
    text += render(part) + (strings[index + 1] ?? '');
  });
  return new Html(text);
}

function render(part: Part): string {
  if (part === null || part === undefined || part === false) return '';
  if (part instanceof Html) return part.text;
  if (typeof part === 'object') return part.map((item) => item.text).join('');
  return escapeHtml(String(part));
}

type PageOptions = {
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
