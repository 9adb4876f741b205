import { notices } from '@tara/contract/notices';
import { posts } from '@tara/contract/posts/posts';
import { call } from '../../lib/call.ts';
import { clearDraft } from '../../lib/draft-storage.ts';
import { useForm, withReason } from '../../lib/form.tsx';
import { toast } from '../../ui/feedback.ts';
import { Page } from '../../ui/Page.tsx';
import { addPost, quickPostDraft } from './PostActions.tsx';
import { PostFields, PostForm } from './PostForm.tsx';

const blank: PostFields = { caption: '', location: '', tags: '', imageId: '', alt: '' };

/** `/create-post` (§2); `textInputed` prefills the caption. */
export function CreatePostScreen({ textInputed = '' }: { textInputed?: string | undefined }) {
  const form = useForm({
    schema: PostFields,
    defaultValues: { ...blank, caption: textInputed },
    // A prefilled caption has a draft of its own.
    draft: { key: `create-post:${textInputed}` },
    send: (body) => call(posts.create, { body }),
    onSuccess: (post) => {
      addPost(post);
      // The text came from the quick post, which would offer it a second time.
      if (textInputed !== '') clearDraft({ key: quickPostDraft });
      toast({ title: 'Your post is published.', tone: 'success' });
    },
    leaveTo: () => ({ to: '/' }),
    failureNotice: withReason(notices.postFailed),
  });
  return (
    <Page title="Create Post" width="form">
      <PostForm form={form} submitLabel="Create Post" />
    </Page>
  );
}
