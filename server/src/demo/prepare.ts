import { demoPictures } from './pictures.ts';

// Run when the web is built, so that the first start only has to copy.
await demoPictures();
