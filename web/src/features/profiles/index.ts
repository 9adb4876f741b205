export { default as BirthDateCorrection } from './BirthDateCorrection.tsx';
export {
  PeopleGrid,
  PeopleList,
  PeopleSearchResults,
  PersonCardSkeletons,
  peoplePages,
  peopleSearchQuery,
  useSearchText,
} from './PeopleScreen.tsx';
