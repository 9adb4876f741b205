import { text } from '@tara/contract/fields';
import { urlAtWidth } from '@tara/contract/files';
import { captionLength } from '@tara/contract/limits';
import { notices } from '@tara/contract/notices';
import { posts } from '@tara/contract/posts';
import { problemMessage } from '@tara/contract/problems';
import { profiles } from '@tara/contract/profiles';
import { Suspense, useRef, useState } from 'react';
import { useWatch } from 'react-hook-form';
import * as z from 'zod/mini';
import { call } from '../../lib/call.ts';
import { useForm, withReason } from '../../lib/form.tsx';
import { CheckboxField, Form, SubmitButton, TextAreaField } from '../../lib/form-fields.tsx';
import { PhotoField } from '../../lib/photo-field.tsx';
import { invalidate } from '../../lib/queries.ts';
import { toast } from '../../ui/feedback.ts';
import { lazyPart } from '../../ui/lazy-component.tsx';
import { Card } from '../../ui/Page.tsx';
import { Avatar } from '../../ui/Picture.tsx';
import { useSession } from '../accounts/index.ts';
import { addPost } from '../posts/index.ts';
import { setOwnProfile } from './own-profile-cache.ts';

const CropDialog = lazyPart(() => import('./CropDialog.tsx'));

const standardCaption = 'I have a new profile picture.';

const PictureFields = z.strictObject({
  imageId: z.string().check(z.minLength(1, problemMessage('storage_file_empty'))),
  isShared: z.boolean(),
  caption: text(captionLength),
});

/** Changes the profile picture, optionally shares it as a post (`usedDp`), then goes to the profile (decisions §1). */
export function PictureForm() {
  const session = useSession();
  const { profile } = session;
  // Where the picture is stored and its post failed, the next try sends the post alone: a picture is used once.
  const storedImageId = useRef('');
  const form = useForm({
    schema: PictureFields,
    defaultValues: { imageId: '', isShared: false, caption: standardCaption },
    leaveWarning: 'The picture you chose will be lost.',
    send: async ({ imageId, isShared, caption }) => {
      if (imageId !== storedImageId.current) {
        setOwnProfile(session, await call(profiles.updatePicture, { body: { imageId } }));
        storedImageId.current = imageId;
      }
      if (isShared) addPost(await call(posts.quick, { body: { caption: caption || standardCaption } }));
    },
    onSuccess: () => {
      toast({ title: 'Your profile picture has been updated.', tone: 'success' });
      // All posts show their creator's picture.
      void invalidate(posts.feed, posts.recent, posts.byCreator, posts.get);
    },
    leaveTo: () => ({ to: '/profile/$id', params: { id: profile.id } }),
    failureNotice: withReason(notices.profileFailed),
  });
  const [cropped, setCropped] = useState<{ file: File; onDone: (file: File | null) => void } | null>(null);
  const isShared = useWatch({ control: form.control, name: 'isShared' });
  return (
    <Form form={form}>
      <Card className="flex flex-col gap-3">
        <div className="flex items-center gap-4">
          <Avatar name={profile.name} src={urlAtWidth(profile.picture.imageUrl, 320)} size="xl" />
          <p className="text-ink-soft">
            This is how people see you now. A clear picture of your face makes it easier to trust you.
          </p>
        </div>
        <PhotoField
          form={form}
          name="imageId"
          label="New profile picture"
          prompt="Choose a picture of you"
          ratio="1 / 1"
          pasteAnywhere
          prepare={(file) =>
            new Promise((done) => {
              const onDone = (square: File | null) => {
                setCropped(null);
                done(square);
              };
              setCropped({ file, onDone });
            })
          }
        />
        {cropped && (
          <Suspense>
            <CropDialog {...cropped} />
          </Suspense>
        )}
        <CheckboxField form={form} name="isShared" label="Share it as a post" />
        {isShared && (
          <TextAreaField form={form} name="caption" label="Caption" limit={captionLength} rows={2} />
        )}
        <SubmitButton form={form} pendingLabel="Loading..." className="self-end">
          Update picture
        </SubmitButton>
      </Card>
    </Form>
  );
}
