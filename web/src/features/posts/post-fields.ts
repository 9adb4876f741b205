import { notices } from '@tara/contract/notices';
import { NewPost } from '@tara/contract/posts';
import { sentenceOf } from '@tara/contract/problems';
import * as z from 'zod';
import { isAbort, wordsOfFailure } from '../../lib/failure.ts';
import { toast } from '../../ui/toast.ts';

/** What stands in the form; the id of the photo comes once it is stored. */
export const PostFields = NewPost.extend({ imageId: z.string(), alt: NewPost.shape.alt.unwrap() });
export type PostFields = z.infer<typeof PostFields>;

export const photoMissing = sentenceOf('storage_file_empty');

/** Failure of the form (§8): 'Please try again', with what is known of the reason. */
export function tellPostFailure(error: unknown): void {
  if (isAbort(error)) return;
  toast({ ...notices.postFailed, text: wordsOfFailure(error).title, tone: 'danger' });
}
