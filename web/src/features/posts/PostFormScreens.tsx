import { Link, useCanGoBack, useNavigate, useRouter } from '@tanstack/react-router';
import { text } from '@tara/contract/fields';
import { altLength, captionLength, locationLength } from '@tara/contract/limits';
import { notices } from '@tara/contract/notices';
import { type Post, PostFormFields, parseTags, postCan, posts } from '@tara/contract/posts/posts';
import { problemMessage, problemNotice } from '@tara/contract/problems';
import { useWatch } from 'react-hook-form';
import * as z from 'zod/mini';
import { call } from '../../lib/call.ts';
import { clearDraft } from '../../lib/draft-storage.ts';
import { type FormHandle, formQueryOf, useForm, withReason } from '../../lib/form.tsx';
import { Form, SubmitButton, TextAreaField, TextField } from '../../lib/form-fields.tsx';
import { PhotoField } from '../../lib/photo-field.tsx';
import { useLoaded } from '../../lib/queries.ts';
import { Button, buttonClass } from '../../ui/Button.tsx';
import { toast } from '../../ui/feedback.ts';
import { EmptyState, Page } from '../../ui/Page.tsx';
import { useSession } from '../accounts/index.ts';
import { addPost, changePost, quickPostDraft } from './PostActions.tsx';
import { Tags } from './PostCard.tsx';

/** The fields of the form; the id of the photo is set once it is stored. */
export const PostFields = z.strictObject({
  ...PostFormFields.shape,
  imageId: z.string().check(z.minLength(1, problemMessage('storage_file_empty'))),
  alt: text(altLength),
});
export type PostFields = z.infer<typeof PostFields>;

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
      if (textInputed !== '') clearDraft(quickPostDraft);
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

interface PostFormProps {
  form: FormHandle<PostFields, PostFields>;
  /** The post shows a profile picture: the photo field is hidden. */
  hidesPhoto?: boolean;
  /** The post's current picture. */
  inUse?: string | null;
  submitLabel: string;
}

/** Caption, photo, location and tags: the form of /create-post and /update-post (§2, §5). */
export function PostForm({ form, hidesPhoto = false, inUse = null, submitLabel }: PostFormProps) {
  const { history } = useRouter();
  const canGoBack = useCanGoBack();
  const navigate = useNavigate();
  const tags = parseTags(useWatch({ control: form.control, name: 'tags' }));
  return (
    <Form form={form}>
      <div className="flex flex-col gap-3">
        <TextAreaField
          form={form}
          name="caption"
          label="Caption"
          limit={captionLength}
          rows={3}
          placeholder="What happened, and with whom?"
        />
        {!hidesPhoto && (
          <PhotoField
            form={form}
            name="imageId"
            label="Add Profile Picture"
            prompt="Add a photo"
            inUse={inUse}
            pasteAnywhere
          >
            <TextField
              form={form}
              name="alt"
              label="Describe the photo"
              optional
              hint="For friends who cannot see it."
              limit={altLength}
            />
          </PhotoField>
        )}
        <TextField
          form={form}
          name="location"
          label="Add Location"
          optional
          limit={locationLength}
          placeholder="Moalboal, Cebu"
        />
        <TextField
          form={form}
          name="tags"
          label="Add Tags"
          optional
          hint="Separate them with commas."
          placeholder="beach, sunset, friends"
          autoCapitalize="none"
        />
        <Tags tags={tags} />
        <div className="flex flex-wrap justify-end gap-3 max-sm:flex-col-reverse">
          <Button
            variant="secondary"
            onClick={() => (canGoBack ? history.back() : void navigate({ to: '/' }))}
          >
            Cancel
          </Button>
          <SubmitButton form={form} pendingLabel="Loading...">
            {submitLabel}
          </SubmitButton>
        </div>
      </div>
    </Form>
  );
}

/** A post with the profile picture requires no photo of its own. */
const PhotolessFields = z.extend(PostFields, { imageId: z.string() });

const editedPostQuery = (id: string) => formQueryOf(posts.get, { params: { id } });

/** `/update-post/{id}` (§2): only for the post's creator (§6). */
export function UpdatePostScreen({ id }: { id: string }) {
  const { profile } = useSession();
  const post = useLoaded(editedPostQuery(id));
  return (
    <Page title="Update Post" width="form">
      {postCan.change(profile.id, post) ? (
        <EditPost post={post} />
      ) : (
        <EmptyState
          scene="cat"
          title={problemNotice('user_unauthorized').title}
          text="Only its creator can change a post."
          action={
            <Link to="/" className={buttonClass()}>
              Home
            </Link>
          }
        />
      )}
    </Page>
  );
}

function EditPost({ post }: { post: Post }) {
  const { id, usedDp, picture } = post;
  const form = useForm({
    schema: usedDp ? PhotolessFields : PostFields,
    defaultValues: {
      caption: post.caption,
      location: post.location,
      tags: post.tags.join(', '),
      imageId: picture.imageId ?? '',
      alt: picture.alt,
    },
    draft: { key: `update-post:${id}` },
    send: ({ imageId, alt, ...fields }) => {
      const replaced = imageId !== picture.imageId ? { imageId } : {};
      return call(posts.update, {
        body: { postId: id, ...fields, ...(usedDp ? {} : { alt, ...replaced }) },
      });
    },
    onSuccess: (changed) => {
      changePost(changed.id, changed);
      toast({ title: 'Your post is updated.', tone: 'success' });
    },
    leaveTo: () => ({ to: '/post/$id', params: { id }, replace: true }),
    failureNotice: withReason(notices.postFailed),
  });
  return <PostForm form={form} hidesPhoto={usedDp} inUse={picture.imageId} submitLabel="Update Post" />;
}
