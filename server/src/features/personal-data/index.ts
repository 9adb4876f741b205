export { exportFileKey } from './export-file.ts';
export { leave } from './leave.ts';
export { personalDataRoutes, personalDataTasks } from './routes.ts';
export { dataExports } from './tables.ts';
