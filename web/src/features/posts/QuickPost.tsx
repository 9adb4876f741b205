import { Link } from '@tanstack/react-router';
import { sized } from '@tara/contract/files';
import { captionLength } from '@tara/contract/limits';
import { notices } from '@tara/contract/notices';
import { posts } from '@tara/contract/posts';
import { ImagePlus, SendHorizontal } from 'lucide-react';
import { type FormEvent, type KeyboardEvent, useState } from 'react';
import { wordsOfFailure } from '../../lib/failure.ts';
import { useCall } from '../../lib/queries.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { Button, buttonClass } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { Field } from '../../ui/Field.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { announce } from '../../ui/LiveRegion.tsx';
import { TextArea } from '../../ui/TextArea.tsx';
import { toast } from '../../ui/toast.ts';
import { useSession } from '../accounts/index.ts';
import { cardClass } from './PostCard.tsx';
import { addPost } from './post-cache.ts';
import { useKeptText } from './use-kept-text.ts';

/** A thought in a line or two, published with one's profile picture; an empty one is ignored (§5). */
export function QuickPost() {
  const { profile } = useSession();
  const [caption, setCaption] = useKeptText('quick-post');
  const [open, setOpen] = useState(false);
  const post = useCall(posts.quick, {
    quiet: true,
    onSuccess: (made) => {
      setCaption('');
      addPost(made);
      announce('Your post is published.');
    },
    onError: (error) => toast({ ...notices.postFailed, text: wordsOfFailure(error).title, tone: 'danger' }),
  });
  const send = (event: FormEvent | KeyboardEvent) => {
    event.preventDefault();
    const written = caption.trim();
    if (written === '' || written.length > captionLength || post.isPending) return;
    post.mutate({ body: { caption: written } });
  };
  const long = caption.trim().length > captionLength;
  const unfolded = open || caption !== '';
  return (
    <Card as="section" aria-label="Quick post" className={cardClass}>
      <form noValidate onSubmit={send} className="flex gap-3">
        <Avatar name={profile.name} src={sized(profile.picture.imageUrl, 96)} className="max-sm:hidden" />
        <div className="flex min-w-0 flex-1 flex-col gap-3">
          <Field
            label="Quick post"
            hideLabel
            error={long ? `Must be at most ${captionLength} characters.` : undefined}
            {...(caption.length > captionLength * 0.8 ? { limit: captionLength } : {})}
          >
            <TextArea
              rows={1}
              maxRows={8}
              placeholder={`What’s on your mind, ${profile.name.split(' ')[0]}?`}
              value={caption}
              onFocus={() => setOpen(true)}
              onChange={(event) => setCaption(event.target.value)}
              onKeyDown={(event) => {
                if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) send(event);
              }}
            />
          </Field>
          {unfolded && (
            <div className="flex flex-wrap items-center justify-between gap-2">
              <Link
                to="/create-post"
                search={caption === '' ? {} : { textInputed: caption }}
                className={buttonClass({ variant: 'ghost' })}
              >
                <Icon of={ImagePlus} />
                Add a photo
              </Link>
              <Button type="submit" pending={post.isPending} icon={<Icon of={SendHorizontal} />}>
                Post
              </Button>
            </div>
          )}
        </div>
      </form>
    </Card>
  );
}
