export { default as BirthDateCorrection } from './BirthDateCorrection.tsx';
export { BirthDateField } from './BirthDateField.tsx';
export { FirstAboutForm, FirstPhotoForm } from './FirstForms.tsx';
export {
  PeopleGrid,
  PeopleList,
  PeopleSearchResults,
  PersonTile,
  peoplePages,
  peopleSearchQuery,
  useSearchText,
} from './PeopleScreen.tsx';
