import { resolve } from 'node:path';
import tailwindcss from '@tailwindcss/vite';
import { tanstackRouter } from '@tanstack/router-plugin/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin, type Rolldown } from 'vite';

/** Where the server listens while the web is developed beside it. */
const server = process.env.TARA_SERVER ?? 'http://127.0.0.1:3000';
const proxied = ['/api', '/v1', '/sandbox', '/mailbox', '/docs', '/healthz'];

/** The parts of a route are one chunk: one function imports it, where the router's plugin writes one for each part. */
function sharingImporter(code: string): string {
  let shared = code;
  const first = new Map<string, string>();
  for (const [line, name = '', load = ''] of code.matchAll(
    /const (\$\$split\w+) = (\(\) => import\([^)]+\));?/g,
  )) {
    const known = first.get(load);
    if (known === undefined) first.set(load, name);
    else shared = shared.replace(line, '').replaceAll(name, () => known);
  }
  return shared;
}

/**
 * The parts of a route's chunk are loaded by src/lib/recovery.ts and not by the router's functions of the same
 * names, which reload the window when a chunk is missing.
 */
const lazyScreens: Plugin = {
  name: 'tara:lazy-screens',
  transform(code, id) {
    if (!id.includes('/web/src/routes/') || !/\blazy(RouteComponent|Fn)\b/.test(code)) return null;
    const changed = code.replace(
      /import \{ (lazyRouteComponent|lazyFn) \} from ['"]@tanstack\/react-router['"]/g,
      `import { $1 } from '${import.meta.dirname}/src/lib/recovery.ts'`,
    );
    if (/import[^;]*\blazy(RouteComponent|Fn)\b[^;]*@tanstack\/react-router/.test(changed))
      this.error(`${id}: the router's plugin imports its lazy functions in a way that is not known here.`);
    return { code: sharingImporter(changed), map: null };
  },
};

/** What every screen needs and no change of ours touches: one file that stays in the cache. */
const vendor =
  /node_modules\/(react|react-dom|scheduler|@tanstack\/(?!.*virtual).*|use-sync-external-store|clsx)\/|rolldown[/\\]runtime/;

type Modules = Pick<Rolldown.PluginContext, 'getModuleInfo'>;
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

type Rule = (id: string, modules: Modules) => boolean;

/** Whether a module imports one that matches, itself or by others; not what it loads lazily. */
function reaches(pattern: RegExp): Rule {
  const known = new Map<string, boolean>();
  const isReaching: Rule = (id, modules) => {
    const before = known.get(id);
    if (before !== undefined) return before;
    // A cycle adds nothing.
    known.set(id, pattern.test(id));
    const result =
      pattern.test(id) ||
      (modules.getModuleInfo(id)?.importedIds ?? []).some((imported) => isReaching(imported, modules));
    known.set(id, result);
    return result;
  };
  return isReaching;
}

/** Whether a module is one of these roots of ours, or imported by them. */
function isReachedFrom(roots: string[]): Rule {
  let reached: Set<string> | undefined;
  return (id, modules) => {
    if (reached === undefined) {
      reached = new Set();
      const add = (next: string) => {
        if (reached?.has(next)) return;
        reached?.add(next);
        for (const imported of modules.getModuleInfo(next)?.importedIds ?? []) add(imported);
      };
      for (const root of roots) add(resolve(import.meta.dirname, 'src', root));
    }
    return reached.has(id);
  };
}

const needsForms = reaches(/node_modules\/(react-hook-form|@hookform)\//);
const needsOverlays = reaches(/node_modules\/(radix-ui|@radix-ui|vaul)\//);
const inKit = isReachedFrom([
  ...['main.tsx', 'features/accounts/SignInScreen.tsx', 'features/accounts/index.ts'],
  // Small, and on most screens.
  ...['lib/draft-storage.ts', 'ui/marks.tsx', 'ui/Picture.tsx', 'ui/TimeLabel.tsx'],
]);
const inRules = isReachedFrom(
  ['accounts/accounts', 'accounts/personal-data', 'accounts/second-factor', 'files', 'problems'].map(
    (name) => `../../contract/src/${name}.ts`,
  ),
);
const isReachedFromLayout = isReachedFrom(['shell/MainLayout.tsx']);
const inApp: Rule = (id, modules) =>
  id.includes('/web/src/routes/_main.tsx?') || isReachedFromLayout(id, modules);
const isReachedFromOverlays = isReachedFrom(
  ['DialogOrDrawer', 'FullScreenPicture', 'MenuPanel', 'ToastStage'].map((name) => `ui/${name}.tsx`),
);
/** Radix and what it brings along. */
const inOverlays: Rule = (id, modules) =>
  (needsOverlays(id, modules) || (id.includes('/node_modules/') && isReachedFromOverlays(id, modules))) &&
  !needsForms(id, modules);
/** The part of Radix that two screens show at once. */
const inTabs = isReachedFrom(['ui/Tabs.tsx']);
/** What chats need of the fields of pictures, without forms. */
const inUploads = isReachedFrom(['lib/upload.ts', 'ui/PhotoPicker.tsx']);
const inFields = isReachedFrom(['lib/form.tsx', 'lib/form-fields.tsx']);
const isReachedFromPhotos = isReachedFrom(['lib/photo-field.tsx', 'lib/photos-field.tsx']);
const inPhotos: Rule = (id, modules) => isReachedFromPhotos(id, modules) && !inFields(id, modules);
const inForms: Rule = (id, modules) =>
  !id.includes('/web/src/features/') &&
  !inPhotos(id, modules) &&
  (inFields(id, modules) || needsForms(id, modules));
/** What both kinds of chat show, and no other screen. */
const inMessages: Rule = (id) => id.includes('/web/src/features/messages/');
/** The pages for everybody and the links to them, which guests load without what members share. */
const inPublicPages: Rule = (id) => /[/](public-pages|shared-plans[/]SharedPlanScreen)/.test(id);
/** Plans and people as cards, for their lists and for Explore; forms load `records` without them. */
const inCards: Rule = (id) => /[/]features[/](plans[/]PlanSearch|profiles[/]PeopleScreen)[.]/.test(id);
/** What other screens show of a request: paying, what is next, and the cache. */
const inRequestSteps: Rule = (id) =>
  /[/]features[/]interactions[/](RequestMoney|interaction-cache|request-texts)[.]/.test(id);
/** Requests and their actions: of Plan Manager and plan chats. Their forms load apart. */
const inRequests: Rule = (id, modules) =>
  /[/]web[/]src[/]features[/]interactions[/](?!RequestForms)/.test(id) && !inRequestSteps(id, modules);
/** What the work lists of admins share, which members do not load. */
const inAdmin: Rule = (id, modules) => id.includes('/web/src/features/admin/') && !needsForms(id, modules);
/** Screens of a few routes in one file, which no other route loads. */
const isScreens: Rule = (id) => /[/]web[/]src[/]features[/].*(Screens?|reviews[/]index)[.]tsx$/.test(id);
const isShared: Rule = (id, modules) =>
  !isScreens(id, modules) &&
  !id.includes('/web/src/features/interactions/') &&
  !id.includes('/web/src/features/admin/') &&
  !/[/]src[/]features[/]accounts[/]/.test(id) &&
  !inPublicPages(id, modules) &&
  !inMessages(id, modules) &&
  !inCards(id, modules) &&
  !inForms(id, modules) &&
  !inPhotos(id, modules) &&
  !needsForms(id, modules) &&
  !inTabs(id, modules) &&
  !inOverlays(id, modules);

/** Not the contract of chats and plans, and not what stores outboxes: the feed, which loads this file, does without. */
const inLists: Rule = (id, modules) =>
  isShared(id, modules) &&
  !/[/]contract[/]src[/](interactions|messages|plans)[/](conversations|interactions|meetings|messages|plans|receipts|stages)[.]ts$/.test(
    id,
  ) &&
  !id.includes('/node_modules/zustand/esm/middleware');

/** The modules of a rule as one file. */
const group = (name: string, rule: Rule, options: { priority: number; minShareCount?: number }) => ({
  ...options,
  debugName: name,
  name: (id: string, modules: Modules) => (rule(id, modules) ? name : null),
});

/**
 * Few files, because a request costs a phone more than the bytes of a shared file that one screen does not need:
 * `vendor`, `kit` (the first page), `rules` (the contract and what checks it), `app` (the layout of members' screens),
 * `lists` (what most of them share), `records` (what some do), `forms`, `photos` (the fields of pictures), `tabs`,
 * `uploads`, `requests`, `messages` (both kinds of chat), `cards` (plans and people), `admin` (their work lists), the
 * route's own, and late `overlays`.
 */
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
    withoutSummaries,
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
            { name: 'vendor', test: vendor, priority: 50 },
            group('kit', inKit, { priority: 40 }),
            group('rules', inRules, { priority: 35 }),
            group('app', inApp, { priority: 30 }),
            group('tabs', inTabs, { minShareCount: 2, priority: 7 }),
            group('uploads', inUploads, { minShareCount: 2, priority: 16 }),
            group('messages', inMessages, { minShareCount: 2, priority: 2 }),
            group('request-steps', inRequestSteps, { minShareCount: 2, priority: 2 }),
            group('requests', inRequests, { minShareCount: 2, priority: 1 }),
            group('admin', inAdmin, { minShareCount: 2, priority: 1 }),
            group('cards', inCards, { minShareCount: 2, priority: 1 }),
            group('photos', inPhotos, { minShareCount: 2, priority: 3 }),
            group('overlays', inOverlays, { minShareCount: 2, priority: 4 }),
            group('forms', inForms, { minShareCount: 2, priority: 5 }),
            group('lists', inLists, { minShareCount: 5, priority: 15 }),
            group('records', isShared, { minShareCount: 2, priority: 10 }),
          ],
        },
      },
    },
  },
});
