import helmet from '@fastify/helmet';
import fastify from 'fastify';

/**
 * Scripts only from our own files, and no text can become script: Trusted Types are required. Styles may be inline,
 * because the dialog library writes some.
 */
function contentSecurityPolicy(publicUrl: string) {
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

/** What an answer has without helmet. */
const ownHeaders = new Set(['content-length', 'date', 'connection']);

/**
 * The headers that protect every answer, as helmet makes them. They are the same for all, so helmet is asked once: asked
 * at each request it takes longer than the session and the validation together.
 */
export async function securityHeaders(publicUrl: string): Promise<Record<string, string>> {
  const app = fastify();
  await app.register(helmet, {
    contentSecurityPolicy: contentSecurityPolicy(publicUrl),
    hsts: publicUrl.startsWith('https:'),
  });
  app.get('/', async (_request, reply) => reply.send());
  const { headers } = await app.inject('/');
  await app.close();
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      typeof value === 'string' && !ownHeaders.has(name) ? [[name, value]] : [],
    ),
  );
}

/** The ones that mean something for an answer that is data: nothing of it runs, is framed, guessed at or kept. */
const names = [
  'x-content-type-options',
  'referrer-policy',
  'cross-origin-resource-policy',
  'strict-transport-security',
  'x-frame-options',
];

/** The headers of a call's answer, out of those of a page; what may be cached says so itself. */
export function callHeaders(pageHeaders: Record<string, string>): Record<string, string> {
  const headers = Object.fromEntries(Object.entries(pageHeaders).filter(([name]) => names.includes(name)));
  return {
    ...headers,
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'cache-control': 'no-store',
  };
}
