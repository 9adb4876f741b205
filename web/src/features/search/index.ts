export { openSearch, SearchHost } from './SearchHost.tsx';
