import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import { serverPaths } from '@tara/contract/url';
import type { FastifyInstance } from 'fastify';
import { Problem } from '../problem.ts';
import { firstLoadHeader } from './first-load.ts';
import { decodedPath, targetPath } from './route-path.ts';

const htmlType = 'text/html; charset=utf-8';

/** What a page says of itself to sites that show links to it; without a value the product's own. */
export interface PageMeta {
  title?: string;
  description?: string;
  /** Absolute. */
  imageUrl?: string;
  imageAlt?: string;
  /** Kept out of search engines. */
  isPrivate?: boolean;
  /** The text of the page for readers without scripts, as HTML. */
  html?: string;
}

export interface WebPages {
  /** The server's public address, without a slash at its end. */
  publicUrl: string;
  /** The meta of a page, null for one that is served as it was built. */
  describe: (path: string) => Promise<PageMeta | null>;
}

/** The built page, with the words it has for the product. */
interface Template {
  html: string;
  title: string;
  description: string;
}

async function readTemplate(file: string): Promise<Template> {
  const html = await readFile(file, 'utf8');
  return {
    html,
    title: /<title>([^<]*)<\/title>/.exec(html)?.[1] ?? '',
    description: /<meta name="description" content="([^"]*)"/.exec(html)?.[1] ?? '',
  };
}

export const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** The page with a meta for crawlers, which run no script. Every value is escaped; the template's own are HTML already. */
function renderPage(template: Template, meta: PageMeta, url: string, publicUrl: string): string {
  const title = meta.title === undefined ? template.title : escapeHtml(meta.title);
  const description = meta.description === undefined ? template.description : escapeHtml(meta.description);
  const image = escapeHtml(meta.imageUrl ?? `${publicUrl}/share.png`);
  const alt = meta.imageUrl === undefined ? template.title : escapeHtml(meta.imageAlt ?? '');
  const head = [
    `<title>${title}</title>`,
    `<meta name="description" content="${description}" />`,
    '<meta property="og:type" content="website" />',
    `<meta property="og:site_name" content="${template.title}" />`,
    `<meta property="og:url" content="${escapeHtml(url)}" />`,
    `<meta property="og:title" content="${title}" />`,
    `<meta property="og:description" content="${description}" />`,
    `<meta property="og:image" content="${image}" />`,
    `<meta property="og:image:alt" content="${alt}" />`,
    '<meta name="twitter:card" content="summary_large_image" />',
    `<meta name="twitter:title" content="${title}" />`,
    `<meta name="twitter:description" content="${description}" />`,
    `<meta name="twitter:image" content="${image}" />`,
  ].join('\n    ');
  return template.html
    .replace(/\s*<meta name="description"[^>]*>/, '')
    .replace(/<title>[^<]*<\/title>/, () => head)
    .replace(/<noscript>[^<]*<\/noscript>/, (noscript) =>
      meta.html === undefined ? noscript : `<noscript>${meta.html}</noscript>`,
    );
}

/**
 * Serves the built web: hashed assets for ever, and `index.html` for every address that is a page of its router, with the
 * meta of `pages` for sites that show links. Any other address answers 404: to a browser with `index.html`, which shows
 * 'Page Not Found', and to everything else as an error.
 */
export async function webRoutes(app: FastifyInstance, folder: string, pages?: WebPages): Promise<void> {
  const index = join(folder, 'index.html');
  if (!existsSync(index)) return;
  const template = await readTemplate(index);
  await app.register(fastifyStatic, {
    root: folder,
    serve: false,
    preCompressed: true,
    cacheControl: false,
    dotfiles: 'ignore',
  });
  app.get<{ Params: { '*': string } }>('/assets/*', async ({ params }, reply) =>
    // The name holds a hash of the content.
    reply.header('cache-control', 'public, max-age=31536000, immutable').sendFile(`assets/${params['*']}`),
  );
  const firstLoad = firstLoadHeader(folder);
  app.get('/*', async ({ url, headers, log }, reply) => {
    const path = targetPath(url);
    if (serverPaths.test(decodedPath(url))) throw new Problem('general_route_not_found');
    if (/\.[a-z0-9]{2,11}$/i.test(path)) return reply.header('cache-control', 'no-cache').sendFile(path);
    const query = url.includes('?') ? url.slice(url.indexOf('?') + 1) : '';
    const isSignedIn = /a_session_\w+=/.test(headers.cookie ?? '');
    const link = firstLoad(decodedPath(url), query, isSignedIn);
    if (link === null) {
      if (!headers.accept?.includes('text/html')) throw new Problem('general_route_not_found');
      return reply.code(404).header('cache-control', 'no-cache').type(htmlType).send(template.html);
    }
    reply.header('cache-control', 'private, no-cache').header('link', link);
    const meta =
      (await pages?.describe(decodedPath(url)).catch((error: unknown) => {
        // The page itself needs no database. Whether search engines may keep it is not known.
        log.error({ err: error }, 'a page is served without its meta');
        reply.header('x-robots-tag', 'noindex, nofollow');
        return null;
      })) ?? null;
    if (meta === null || !pages) return reply.sendFile('index.html');
    if (meta.isPrivate) reply.header('x-robots-tag', 'noindex, nofollow');
    const address = `${pages.publicUrl}${path}`;
    return reply.type(htmlType).send(renderPage(template, meta, address, pages.publicUrl));
  });
}
