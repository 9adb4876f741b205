/**
 * Scripts only from our own files, and no text can become script: Trusted Types are required. Styles may be inline,
 * because the dialog library writes some.
 */
export function contentSecurityPolicy(publicUrl: string) {
  const secure = publicUrl.startsWith('https:');
  return {
    useDefaults: false,
    directives: {
      defaultSrc: ["'self'"],
      scriptSrc: ["'self'"],
      workerSrc: ["'self'", 'blob:'],
      styleSrc: ["'self'", "'unsafe-inline'"],
      imgSrc: ["'self'", 'blob:', 'data:'],
      fontSrc: ["'self'"],
      connectSrc: ["'self'"],
      objectSrc: ["'none'"],
      baseUri: ["'none'"],
      formAction: ["'self'"],
      frameAncestors: ["'none'"],
      requireTrustedTypesFor: ["'script'"],
      ...(secure ? { upgradeInsecureRequests: [] } : {}),
    },
  };
}
