import { type PublicPage, publicPages, type TextBlock } from '@tara/contract/public-pages';
import { escapeHtml, type PageMeta } from './web.ts';

const block = (text: TextBlock) =>
  typeof text === 'string'
    ? `<p>${escapeHtml(text)}</p>`
    : `<ul>${text.map((item) => `<li>${escapeHtml(item)}</li>`).join('')}</ul>`;

const html = ({ title, description, sections }: PublicPage) =>
  [
    `<h1>${escapeHtml(title)}</h1><p>${escapeHtml(description)}</p>`,
    ...sections.map(({ heading, blocks }) => `<h2>${escapeHtml(heading)}</h2>${blocks.map(block).join('')}`),
    Object.entries(publicPages)
      .map(([path, page]) => `<a href="/${path}">${escapeHtml(page.title)}</a>`)
      .join(' '),
  ].join('\n');

/** The same address with and without a slash at its end. */
const pages = new Map(
  Object.entries(publicPages).flatMap(([path, page]) => {
    const { title, description } = page;
    const meta: PageMeta = { title: `${title} · Tara`, description, html: html(page) };
    return [`/${path}`, `/${path}/`].map((address) => [address, meta] as const);
  }),
);

/** A page for people who have its link; search engines do not index it. */
const sharedPlan: PageMeta = { title: 'A shared plan · Tara', isPrivate: true };

/** What an email's link ends: of its reader alone. */
const unsubscribe: PageMeta = { title: 'Emails from Tara', isPrivate: true };

const privatePages: readonly [RegExp, PageMeta][] = [
  [/^\/shared-plan\/?$/, sharedPlan],
  [/^\/unsubscribe\/[^/]+\/?$/, unsubscribe],
];

/** The meta tags of a public page, with its whole text for readers without scripts; null for another path. */
export const describePublicPage = (path: string): PageMeta | null =>
  pages.get(path) ?? privatePages.find(([pattern]) => pattern.test(path))?.[1] ?? null;
