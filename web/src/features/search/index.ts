export { openSearch, SearchHost, searchKey } from './SearchHost.tsx';
