import tailwindcss from '@tailwindcss/vite';
import { tanstackRouter } from '@tanstack/router-plugin/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** Where the server listens while the web is developed beside it. */
const server = process.env.TARA_SERVER ?? 'http://127.0.0.1:3000';
const proxied = ['/api', '/v1', '/sandbox', '/mailbox', '/docs', '/healthz'];

export default defineConfig({
  root: import.meta.dirname,
  plugins: [
    // The router's plugin must come before React's: it splits the routes React then compiles.
    // Unit tests have no use for it, and must not write the generated tree.
    !process.env.VITEST &&
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
  ],
  server: {
    // Trailing slash or end: '/v1' must not catch a source file called v1-something.
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
    sourcemap: false,
    reportCompressedSize: false,
  },
});
