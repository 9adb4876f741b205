import type { FastifyRequest } from 'fastify';

/** Below these the replies are data, not pages. */
const callPaths = /^\/(api|v1)(\/|$)/;

/** The path of a request's target: without scheme, host and query. */
export const targetPath = (target: string): string =>
  target.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i, '').replace(/[?#].*$/s, '');

/** The same as the router reads it: decoded once. */
export function decodedPath(target: string): string {
  const path = targetPath(target);
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/**
 * What decides about a request by its address: the pattern of the route that serves it, such as `/api/post/one/:id`.
 * The raw address decides nothing, since the router reads `/%61pi/…` and `http://host/api/…` alike. Where no route
 * serves it, or only the one of all pages, it is the decoded path.
 */
export function routePath(request: FastifyRequest): string {
  const { url } = request.routeOptions;
  return url === undefined || url === '/*' ? decodedPath(request.url) : url;
}

/** Whether the reply of a request is data, also when it is an error. */
export const isCall = (request: FastifyRequest): boolean => callPaths.test(routePath(request));
