export { default as BirthDateCorrection } from './BirthDateCorrection.tsx';
export {
  PeopleGrid,
  PeopleList,
  PeopleSearchResults,
  peoplePages,
  peopleSearchQuery,
} from './PeopleScreen.tsx';
export { PersonCardSkeletons } from './PersonCard.tsx';
