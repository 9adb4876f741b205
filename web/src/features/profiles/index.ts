export { default as BirthDateCorrection } from './BirthDateCorrection.tsx';
