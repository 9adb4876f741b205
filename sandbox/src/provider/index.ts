export { TEST_CARDS } from './cards.ts';
export { ALL_FAULTS, type Fault } from './faults.ts';
export { createProvider, type Provider, type ProviderOptions } from './provider.ts';
export type { Clock } from './settings.ts';
