export { describePublicLinkPage } from './open.ts';
export { removePublicLinks } from './own.ts';
export { publicLinkRoutes } from './routes.ts';
export { publicLinks } from './tables.ts';
