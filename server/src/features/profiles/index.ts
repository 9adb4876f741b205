export { type PersonRow, personColumns, presentPerson } from './present.ts';
export { friends, profiles } from './tables.ts';
