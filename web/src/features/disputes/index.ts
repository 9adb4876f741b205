export { Stories } from './Stories.tsx';
