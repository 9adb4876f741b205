import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { sized } from '@tara/contract/files';
import { captionLength } from '@tara/contract/limits';
import { notices } from '@tara/contract/notices';
import { posts } from '@tara/contract/posts';
import { sentenceOf } from '@tara/contract/problems';
import { profiles } from '@tara/contract/profiles';
import { type FormEvent, useState } from 'react';
import { call } from '../../lib/call.ts';
import { isAbort, wordsOfFailure } from '../../lib/failure.ts';
import { useUnsavedWarning } from '../../lib/forms.ts';
import { invalidate } from '../../lib/queries.ts';
import { usePhoto } from '../../lib/use-photo.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { Button } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { Checkbox } from '../../ui/Checkbox.tsx';
import { Field } from '../../ui/Field.tsx';
import { PhotoPicker } from '../../ui/PhotoPicker.tsx';
import { TextArea } from '../../ui/TextArea.tsx';
import { toast } from '../../ui/toast.ts';
import { useSession } from '../accounts/index.ts';
import { addPost } from '../posts/index.ts';
import { showOwnProfile } from './show-own-profile.ts';

const standardCaption = 'I have a new profile picture.';

/** A new profile picture, shared as a post (`usedDp`) when its owner wishes; then to the profile (decisions §1). */
export function PictureForm() {
  const session = useSession();
  const { profile } = session;
  const navigate = useNavigate();
  const [imageId, setImageId] = useState('');
  const [missing, setMissing] = useState(false);
  const [shared, setShared] = useState(false);
  const [caption, setCaption] = useState(standardCaption);
  const photo = usePhoto({
    bucket: 'images',
    imageId,
    onChange: (id) => {
      setImageId(id);
      setMissing(false);
    },
  });
  const update = useMutation({
    mutationFn: async () => {
      const own = await call(profiles.updatePicture, { body: { imageId: await photo.stored() } });
      setImageId('');
      showOwnProfile(session, own);
      if (shared) addPost(await call(posts.quick, { body: { caption: caption.trim() || standardCaption } }));
      return own;
    },
    onSuccess: async () => {
      toast({ title: 'Your profile picture has been updated.', tone: 'success' });
      // The face stands beside everything one has made.
      void invalidate(posts.feed, posts.recent, posts.byCreator, posts.get);
      await navigate({ to: '/profile/$id', params: { id: profile.id }, ignoreBlocker: true });
    },
    onError: (error) => {
      if (!isAbort(error))
        toast({ ...notices.profileFailed, text: wordsOfFailure(error).title, tone: 'danger' });
    },
  });
  useUnsavedWarning(
    photo.picker.previewUrl !== null && !update.isSuccess,
    'The picture you chose will be lost.',
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (photo.picker.previewUrl === null) setMissing(true);
    else if (!update.isPending) update.mutate();
  };
  return (
    <form noValidate onSubmit={submit}>
      <Card className="flex flex-col gap-5">
        <div className="flex items-center gap-4">
          <Avatar name={profile.name} src={sized(profile.picture.imageUrl, 320)} size="xl" />
          <p className="text-ink-soft">
            This is how people see you now. A clear picture of your face makes it easier to trust you.
          </p>
        </div>
        <Field
          label="New profile picture"
          error={photo.refusal ?? (missing ? sentenceOf('storage_file_empty') : undefined)}
        >
          <PhotoPicker
            {...photo.picker}
            prompt="Choose a picture of you"
            rule="JPG or PNG, up to 20 MB"
            ratio="1 / 1"
            pasteAnywhere
            disabled={update.isPending}
          />
        </Field>
        <Checkbox
          label="Share it as a post"
          checked={shared}
          onChange={(event) => setShared(event.target.checked)}
        />
        {shared && (
          <Field label="Caption" limit={captionLength}>
            <TextArea
              rows={2}
              maxLength={captionLength}
              value={caption}
              onChange={(event) => setCaption(event.target.value)}
            />
          </Field>
        )}
        <div className="flex justify-end">
          <Button type="submit" pending={update.isPending} pendingLabel="Loading...">
            Update picture
          </Button>
        </div>
      </Card>
    </form>
  );
}
