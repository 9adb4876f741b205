import { chat } from '../chat/subject.ts';
import { money } from '../money/subject.ts';
import type { Subject } from './subject.ts';

/** Everything that is lived, by name: what `npm run simulate` takes. */
const subjects = { money, chat } as const;
export type SubjectName = keyof typeof subjects;

/** A subject whose world and script are its own affair. */
export const findSubject = (name: SubjectName) => subjects[name] as unknown as Subject;
