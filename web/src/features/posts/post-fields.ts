import { text } from '@tara/contract/fields';
import { altLength } from '@tara/contract/limits';
import { notices } from '@tara/contract/notices';
import { PostWords } from '@tara/contract/posts';
import { sentenceOf } from '@tara/contract/problems';
import * as z from 'zod/mini';
import { isAbort, wordsOfFailure } from '../../lib/failure.ts';
import { toast } from '../../ui/toast.ts';

/** What stands in the form; the id of the photo comes once it is stored. */
export const PostFields = z.strictObject({ ...PostWords.shape, imageId: z.string(), alt: text(altLength) });
export type PostFields = z.infer<typeof PostFields>;

export const photoMissing = sentenceOf('storage_file_empty');

/** Failure of the form (§8): 'Please try again', with what is known of the reason. */
export function tellPostFailure(error: unknown): void {
  if (isAbort(error)) return;
  toast({ ...notices.postFailed, text: wordsOfFailure(error).title, tone: 'danger' });
}
