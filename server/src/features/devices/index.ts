export { deliverPush } from './deliver.ts';
export { memberDevices } from './own.ts';
export { deviceRoutes } from './routes.ts';
export { devices } from './tables.ts';
