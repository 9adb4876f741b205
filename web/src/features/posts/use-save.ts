import { notices } from '@tara/contract/notices';
import { type Post, posts } from '@tara/contract/posts';
import { isProblem, tellFailure } from '../../lib/failure.ts';
import { useCall } from '../../lib/queries.ts';
import { toast } from '../../ui/toast.ts';
import { changePost } from './post-cache.ts';

const sayDuplicate = () => toast(notices.duplicateSave);

/** Saves a post (§4): shown at once, put back when that failed. What is saved already stays so and says it (§5). */
export function useSave({ id, saved }: Pick<Post, 'id' | 'saved'>): () => void {
  const body = { postId: id };
  const save = useCall(posts.save, {
    quiet: true,
    onMutate: () => changePost(id, { saved: true }),
    onError: (error) => {
      // Saved meanwhile, in another tab perhaps.
      if (isProblem(error, 'post_already_saved')) return sayDuplicate();
      changePost(id, { saved: false });
      tellFailure(error, () => save.mutate({ body }));
    },
  });
  return () => {
    if (save.isPending) return;
    if (saved) sayDuplicate();
    else save.mutate({ body });
  };
}
