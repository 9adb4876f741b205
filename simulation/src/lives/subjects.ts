import { chat } from '../chat/subject.ts';
import { money } from '../money/subject.ts';

/** Everything that is lived, by name: what `npm run simulate` takes. */
export const subjects = { money, chat } as const;
export type SubjectName = keyof typeof subjects;
