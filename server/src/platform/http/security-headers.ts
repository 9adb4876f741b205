/**
 * Scripts only from our own files, and no text can become script: Trusted Types are required. Styles may be inline,
 * because the dialog library writes some.
 */
const contentSecurityPolicy = [
  "default-src 'self'",
  "script-src 'self'",
  "worker-src 'self' blob:",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' blob: data:",
  "font-src 'self'",
  "connect-src 'self'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
];

/**
 * Headers that an answer has whether it is a page or data. The names and values are helmet's defaults; its test compares
 * them. A table and not the plug-in, because the plug-in builds them for each answer.
 */
const commonHeaders = {
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'SAMEORIGIN',
};

const hsts = { 'strict-transport-security': 'max-age=31536000; includeSubDomains' };

type Headers = Readonly<Record<string, string>>;

/** The headers of every page and file of a server at this address. */
export function pageHeaders(publicUrl: string): Headers {
  const secure = publicUrl.startsWith('https:');
  const policy = [...contentSecurityPolicy, ...(secure ? ['upgrade-insecure-requests'] : [])];
  return {
    ...commonHeaders,
    ...(secure ? hsts : {}),
    'content-security-policy': policy.join(';'),
    'cross-origin-opener-policy': 'same-origin',
    'origin-agent-cluster': '?1',
    'x-dns-prefetch-control': 'off',
    'x-download-options': 'noopen',
    'x-permitted-cross-domain-policies': 'none',
    'x-xss-protection': '0',
  };
}

/** The headers of a call's answer, which is data and never runs or is framed; what may be cached says so itself. */
export function callHeaders(publicUrl: string): Headers {
  return {
    ...commonHeaders,
    ...(publicUrl.startsWith('https:') ? hsts : {}),
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'cache-control': 'no-store',
  };
}
