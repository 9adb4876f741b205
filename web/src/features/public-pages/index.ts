export { PublicPageLinks } from './PublicPageLinks.tsx';
