export { caseFileRoutes } from './routes.ts';
