export { UsualTime, usualTimeQuery } from './UsualTime.tsx';
