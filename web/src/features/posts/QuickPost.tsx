import { Link } from '@tanstack/react-router';
import { urlAtWidth } from '@tara/contract/files';
import { captionLength } from '@tara/contract/limits';
import { posts, QuickPost as QuickPostFields } from '@tara/contract/posts';
import { ImagePlus, SendHorizontal } from 'lucide-react';
import { useState } from 'react';
import { useWatch } from 'react-hook-form';
import { call } from '../../lib/call.ts';
import { Form, SubmitButton, useForm } from '../../lib/form.tsx';
import { TextAreaField } from '../../lib/form-fields.tsx';
import { Avatar } from '../../ui/Avatar.tsx';
import { buttonClass } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { announce } from '../../ui/LiveRegion.tsx';
import { useSession } from '../accounts/index.ts';
import { cardClass } from './PostCard.tsx';
import { postFailureNotice } from './PostForm.tsx';
import { addPost, quickPostDraft } from './post-cache.ts';

/** A short post published with the profile picture; an empty one is ignored (§5). */
export default function QuickPost() {
  const { profile } = useSession();
  const [isOpen, setIsOpen] = useState(false);
  const form = useForm({
    schema: QuickPostFields,
    defaultValues: { caption: '' },
    draft: { key: quickPostDraft },
    leaveWarning: null,
    clears: true,
    send: (body) => call(posts.quick, { body }),
    onSuccess: (post) => {
      addPost(post);
      announce('Your post is published.');
    },
    failureNotice: postFailureNotice,
  });
  const caption = useWatch({ control: form.control, name: 'caption' });
  const isEmpty = caption.trim() === '';
  const submit = async () => {
    if (!isEmpty) await form.submit();
  };
  return (
    <Card as="section" aria-label="Quick post" className={cardClass}>
      <Form form={{ ...form, submit }} className="flex gap-3">
        <Avatar
          name={profile.name}
          src={urlAtWidth(profile.picture.imageUrl, 96)}
          className="max-sm:hidden"
        />
        <div className="flex min-w-0 flex-1 flex-col gap-1">
          <TextAreaField
            form={form}
            name="caption"
            label="Quick post"
            hideLabel
            {...(isOpen || caption !== '' ? {} : { lines: 0 })}
            {...(caption.length > captionLength * 0.8 ? { limit: captionLength } : {})}
            rows={1}
            maxRows={8}
            placeholder={`What’s on your mind, ${profile.name.split(' ')[0]}?`}
            onFocus={() => setIsOpen(true)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
              event.preventDefault();
              void submit();
            }}
          />
          {(isOpen || caption !== '') && (
            <div className="flex flex-wrap items-center justify-between gap-2">
              <Link
                to="/create-post"
                search={caption === '' ? {} : { textInputed: caption }}
                className={buttonClass({ variant: 'ghost' })}
              >
                <Icon of={ImagePlus} />
                Add a photo
              </Link>
              <SubmitButton form={form} icon={<Icon of={SendHorizontal} />}>
                Post
              </SubmitButton>
            </div>
          )}
        </div>
      </Form>
    </Card>
  );
}
