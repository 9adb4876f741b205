export { default as BirthDateCorrection } from './BirthDateCorrection.tsx';
export { BirthDateField } from './BirthDateField.tsx';
export {
  PeopleGrid,
  PeopleList,
  PeopleSearchResults,
  peoplePages,
  peopleSearchQuery,
  useSearchText,
} from './PeopleScreen.tsx';
