import type { Picture as StoredPicture } from '@tara/contract/fields';
import { urlAtWidth } from '@tara/contract/files';
import { RotateCw, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { noticeSentence } from '../../lib/failure.ts';
import { Button } from '../../ui/Button.tsx';
import { cx } from '../../ui/cx.ts';
import { Icon } from '../../ui/Icon.tsx';
import { ImageViewer } from '../../ui/ImageViewer.tsx';
import { Picture } from '../../ui/Picture.tsx';
import { ProgressBar } from '../../ui/Spinner.tsx';
import { clockTime, exactTime } from '../../ui/TimeLabel.tsx';
import type { Outgoing } from './outbox.ts';

interface MessageBubbleProps {
  own: boolean;
  name: string;
  body: string;
  picture?: StoredPicture | null;
  /** The local URL of a picture that is being uploaded. */
  preview?: string | undefined;
  createdAt: string;
  sending?: Outgoing;
  onAgain?: () => void;
  onDiscard?: () => void;
}

/** One message: own ones on the right, at most 70 % wide (§9). */
export function MessageBubble({ own, name, body, createdAt, sending, ...rest }: MessageBubbleProps) {
  const { picture, preview, onAgain, onDiscard } = rest;
  const failure = sending?.failure;
  return (
    <li className={cx('flex max-w-[70%] flex-col', own ? 'items-end self-end' : 'items-start self-start')}>
      <div
        className={cx(
          'max-w-full overflow-hidden rounded-card',
          own ? 'rounded-br-sm bg-lagoon-soft' : 'rounded-bl-sm border border-line bg-surface',
          sending && !failure && 'opacity-75',
        )}
      >
        {picture && <StoredImage picture={picture} name={name} />}
        {preview && <img src={preview} alt="Being sent" className="max-h-72 w-64 max-w-full object-cover" />}
        {body && <p className="px-3.5 py-2 break-words whitespace-pre-wrap">{body}</p>}
        {sending?.upload.step === 'uploading' && (
          <div className="px-3 py-2">
            <ProgressBar value={sending.upload.progress} label="Sending the picture" />
          </div>
        )}
      </div>
      <p className="mt-0.5 px-1 text-xs text-ink-soft">
        {own ? <span className="sr-only">You </span> : `${name} · `}
        {sending && !failure ? (
          'Sending…'
        ) : failure ? (
          <span role="alert" className="font-medium text-ember">
            Not sent. {noticeSentence(failure)}
          </span>
        ) : (
          <time dateTime={createdAt} title={exactTime(createdAt)} className="figures">
            {clockTime(createdAt)}
          </time>
        )}
      </p>
      {sending && (failure || sending.upload.step === 'uploading') && (
        <div className="mt-1 flex flex-wrap justify-end gap-2">
          {failure && (
            <Button size="sm" variant="secondary" icon={<Icon of={RotateCw} size={16} />} onClick={onAgain}>
              Try again
            </Button>
          )}
          <Button size="sm" variant="ghost" icon={<Icon of={Trash2} size={16} />} onClick={onDiscard}>
            {failure ? 'Discard' : 'Cancel'}
          </Button>
        </div>
      )}
    </li>
  );
}

function StoredImage({ picture, name }: { picture: StoredPicture; name: string }) {
  const [viewing, setViewing] = useState(false);
  const alt = picture.alt || `Picture from ${name}`;
  return (
    <>
      <button
        type="button"
        aria-label={`${alt}, open full screen`}
        onClick={() => setViewing(true)}
        className="block w-64 max-w-full -outline-offset-2"
      >
        <Picture
          {...picture}
          alt={alt}
          source={(width) => urlAtWidth(picture.imageUrl, width)}
          sizes="256px"
          maxHeight={360}
        />
      </button>
      <ImageViewer
        open={viewing}
        onClose={() => setViewing(false)}
        src={urlAtWidth(picture.imageUrl, 1080)}
        alt={alt}
      />
    </>
  );
}
