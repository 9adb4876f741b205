import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import tailwindcss from '@tailwindcss/vite';
import { tanstackRouter } from '@tanstack/router-plugin/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { type ManifestOptions, VitePWA } from 'vite-plugin-pwa';

/** Where the server listens while the web is developed beside it. */
const server = process.env.TARA_SERVER ?? 'http://127.0.0.1:3000';
const proxied = ['/api', '/v1', '/sandbox', '/mailbox', '/demo', '/docs', '/healthz'];

/** What every screen needs and no change of ours touches: one file that stays in the cache. */
const vendor =
  /node_modules\/(react|react-dom|scheduler|@tanstack\/(?!.*virtual).*|use-sync-external-store|clsx)\/|rolldown[/\\]runtime/;

/** The sentences of the reference page about each call, which only the server shows, would be a tenth of the contract. */
const withoutSummaries: Plugin = {
  name: 'without-summaries',
  apply: 'build',
  enforce: 'pre',
  transform: (code, id) =>
    id.includes('/contract/src/')
      ? code.replaceAll(/\bsummary:\s*(['`])(?:\\.|(?!\1)[^\\])*\1/g, "summary: ''")
      : null,
};

/** The stylesheet below what is painted without it: it holds up the scripts, not the first paint. */
const paintBeforeStyles: Plugin = {
  name: 'paint-before-styles',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler: (html) => {
      const link = /\s*<link rel="stylesheet"[^>]*>/.exec(html)?.[0];
      if (link === undefined) throw new Error('index.html has no stylesheet.');
      return html.replace(link, '').replace('</body>', `${link.trim()}\n  </body>`);
    },
  },
};

const shortcut = (name: string, url: string) => ({
  ...{ name, url },
  icons: [{ src: '/icons/icon-192.png', sizes: '192x192', type: 'image/png' }],
});

/** What a phone shows of the installed app. */
const manifest: Partial<ManifestOptions> = {
  id: '/',
  name: 'Tara',
  short_name: 'Tara',
  lang: 'en',
  start_url: '/',
  scope: '/',
  display: 'standalone',
  theme_color: '#fcfaf6',
  background_color: '#fcfaf6',
  categories: ['social', 'lifestyle'],
  icons: [
    { src: '/icons/icon-192.png', sizes: '192x192', type: 'image/png' },
    { src: '/icons/icon-512.png', sizes: '512x512', type: 'image/png' },
    { src: '/icons/icon-maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
  ],
  shortcuts: [
    shortcut('Messages', '/chats'),
    shortcut('My plans', '/manage-plans'),
    shortcut('Create a post', '/create-post'),
  ],
};

let outDir = '';
const readOutDir: Plugin = {
  name: 'read-out-dir',
  configResolved: ({ root, build }) => {
    outDir = resolve(root, build.outDir);
  },
};

/**
 * The hash of a stored file that keeps its name. Of several servers one may still serve the version before: then nothing is
 * stored, and the browser tries again later.
 */
const withIntegrity = (entry: { url: string; revision: string | null; size: number }) =>
  entry.revision === null
    ? entry
    : {
        ...entry,
        integrity: `sha256-${createHash('sha256')
          .update(readFileSync(join(outDir, entry.url)))
          .digest('base64')}`,
      };

const ours = (paths: string) => new RegExp(`/web/src/(${paths})`);

/**
 * Modules that at least this many routes and lazy parts use are one file of their kind: a further request costs a phone more
 * than the bytes of that file that a screen does not need.
 */
const SHARED_BY_MANY = 12;

export default defineConfig({
  root: import.meta.dirname,
  plugins: [
    // The router's plugin must come before React's: it splits the routes React then compiles.
    tanstackRouter({
      target: 'react',
      autoCodeSplitting: true,
      // A route's loader needs the contract, which the first load does without. Skeletons are in the first load, so that
      // the first tap on a link shows one at once.
      codeSplittingOptions: { defaultBehavior: [['loader', 'component']] },
      routesDirectory: './src/routes',
      generatedRouteTree: './src/routeTree.gen.ts',
      quoteStyle: 'single',
      semicolons: true,
    }),
    withoutSummaries,
    paintBeforeStyles,
    react(),
    tailwindcss(),
    readOutDir,
    VitePWA({
      strategies: 'injectManifest',
      srcDir: 'src',
      filename: 'service-worker.ts',
      // lib/app-version.ts registers it, when the first screen is there.
      injectRegister: false,
      manifest,
      includeManifestIcons: false,
      // It is a build of its own, whose every step would be told.
      integration: {
        configureCustomSWViteBuild: (options) => {
          options.logLevel = 'error';
        },
      },
      injectManifest: {
        rollupFormat: 'iife',
        // The page, its code, and what it shows without a network.
        manifestTransforms: [(entries) => ({ manifest: entries.map(withIntegrity) })],
        globPatterns: ['index.html', 'before-paint.js', 'favicon.svg', 'assets/*.{js,css,woff2,svg}'],
      },
    }),
  ],
  server: {
    // A slash or the end must follow: '/v1' is not the beginning of some file's name.
    proxy: Object.fromEntries(
      proxied.map((path) => [
        `^${path}(/|\\?|$)`,
        { target: server, changeOrigin: false, ws: path === '/v1' },
      ]),
    ),
  },
  build: {
    // The browsers that know light-dark() and the popover attribute.
    target: ['chrome123', 'edge123', 'firefox128', 'safari17.5'],
    // The content policy allows no data: URL for scripts or fonts, and files cache better.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        codeSplitting: {
          // Each with what it imports. What fewer screens share besides is the bundler's choice.
          groups: [
            { name: 'vendor', test: vendor, priority: 4 },
            // The first page: the entry, with the skeletons of all screens, and /sign-in.
            {
              name: 'kit',
              test: ours(
                'main|features/accounts/(SignInScreen|index)|lib/draft-storage|ui/(marks|Picture|TimeLabel)[.]',
              ),
              priority: 3,
            },
            // The contract of accounts and what checks it, which each form of them needs.
            { name: 'rules', test: /contract[/]src[/](accounts[/]|files[.]|problems[.])/, priority: 2 },
            // The layout of members' screens.
            { name: 'app', test: ours('(shell/MainLayout|routes/_main)[.]'), priority: 1 },
            // What many share, by kind: pages for guests load `ui` and `icons`, and no contract.
            { name: 'icons', test: /[/]lucide-react[/]/, minShareCount: 2 },
            { name: 'ui', test: ours('ui/'), minShareCount: SHARED_BY_MANY },
            // Not forms, which bring a library along that lists do without, nor the times that pages for guests name.
            {
              name: 'data',
              test: /[/](web[/]src[/]lib[/](?!form|photos?-field)|contract[/]src[/](?!philippine-time[.]))/,
              minShareCount: SHARED_BY_MANY,
            },
          ],
        },
      },
    },
  },
});
