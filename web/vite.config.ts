import tailwindcss from '@tailwindcss/vite';
import { tanstackRouter } from '@tanstack/router-plugin/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

/** Where the server listens while the web is developed beside it. */
const server = process.env.TARA_SERVER ?? 'http://127.0.0.1:3000';
const proxied = ['/api', '/v1', '/sandbox', '/mailbox', '/docs', '/healthz'];

/**
 * The parts of a route's chunk are loaded by src/lib/lazy-screen.ts and not by the router's functions of the same
 * names, which reload the window when a chunk is missing.
 */
const lazyScreens: Plugin = {
  name: 'tara:lazy-screens',
  transform(code, id) {
    if (!id.includes('/web/src/routes/') || !/\blazy(RouteComponent|Fn)\b/.test(code)) return null;
    const changed = code.replace(
      /import \{ (lazyRouteComponent|lazyFn) \} from ['"]@tanstack\/react-router['"]/g,
      `import { $1 } from '${import.meta.dirname}/src/lib/lazy-screen.ts'`,
    );
    if (/import[^;]*\blazy(RouteComponent|Fn)\b[^;]*@tanstack\/react-router/.test(changed))
      this.error(`${id}: the router's plugin imports its lazy functions in a way that is not known here.`);
    return { code: changed, map: null };
  },
};

export default defineConfig({
  root: import.meta.dirname,
  plugins: [
    // The router's plugin must come before React's: it splits the routes React then compiles.
    tanstackRouter({
      target: 'react',
      autoCodeSplitting: true,
      // A route's loader needs the contract, which the first load does without: one chunk for the route's parts.
      codeSplittingOptions: { defaultBehavior: [['loader', 'component', 'pendingComponent']] },
      routesDirectory: './src/routes',
      generatedRouteTree: './src/routeTree.gen.ts',
      quoteStyle: 'single',
      semicolons: true,
    }),
    lazyScreens,
    react(),
    tailwindcss(),
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
            {
              // What most screens are made of: one file, in place of a request for every icon and every part.
              name: 'kit',
              test: /web\/src\/ui\/|node_modules\/(lucide-react|thumbhash)\//,
              minShareCount: 8,
            },
          ],
        },
      },
    },
  },
});
