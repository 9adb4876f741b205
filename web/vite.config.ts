import tailwindcss from '@tailwindcss/vite';
import { tanstackRouter } from '@tanstack/router-plugin/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

/** Where the server listens while the web is developed beside it. */
const server = process.env.TARA_SERVER ?? 'http://127.0.0.1:3000';
const proxied = ['/api', '/v1', '/sandbox', '/mailbox', '/docs', '/healthz'];

/**
 * The browser checks forms with zod but never describes them: its JSON-schema writer, tied to every kind of
 * schema, would be 5 kB (gzip) of the first load. Only the server, which makes the OpenAPI document, keeps it.
 */
function withoutJsonSchema(): Plugin {
  return {
    name: 'tara:without-json-schema',
    apply: 'build',
    transform: {
      filter: { id: /zod\/v4\/classic\/schemas\.js$/ },
      handler: (code) =>
        code
          .replaceAll(/^ *inst\._zod\.processJSONSchema = .*$/gm, '')
          .replaceAll(/createStandardJSONSchemaMethod\(this, "(in|out)put"\)/g, 'undefined')
          .replace('return createToJSONSchemaMethod(this, {})(params);', 'return undefined;'),
    },
  };
}

export default defineConfig({
  root: import.meta.dirname,
  plugins: [
    // The router's plugin must come before React's: it splits the routes React then compiles.
    tanstackRouter({
      target: 'react',
      autoCodeSplitting: true,
      routesDirectory: './src/routes',
      generatedRouteTree: './src/routeTree.gen.ts',
      quoteStyle: 'single',
      semicolons: true,
    }),
    react(),
    tailwindcss(),
    withoutJsonSchema(),
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
          groups: [
            {
              // What every screen needs and no change of ours touches: one file that stays in the cache.
              // Not zod: the first page shows itself before anything is checked (see features/accounts/first-calls.ts).
              name: 'vendor',
              test: /node_modules\/(react|react-dom|scheduler|@tanstack\/(?!.*virtual).*|use-sync-external-store|clsx)\//,
            },
          ],
        },
      },
    },
  },
});
