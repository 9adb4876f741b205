import type { Picture } from '@tara/contract/fields';
import { urlAtWidth } from '@tara/contract/files';
import type { Message } from '@tara/contract/messages/messages';
import { clsx } from 'clsx';
import { ImageIcon } from 'lucide-react';
import { type ReactNode, Suspense, useEffect, useState } from 'react';
import { noticeSentence } from '../../lib/call.ts';
import { StoredPicture } from '../../lib/stored-picture.tsx';
import { Icon, ProgressBar } from '../../ui/Icon.tsx';
import { lazyPart } from '../../ui/lazy-component.tsx';
import { ImageViewer, useOpenState } from '../../ui/lazy-overlays.tsx';
import { Badge } from '../../ui/marks.tsx';
import { RetryOrDiscard } from '../../ui/RetryOrDiscard.tsx';
import { clockTime, exactTime } from '../../ui/TimeLabel.tsx';
import { MessageMenu, type MessageMenuProps, useLongPress } from './MessageMenu.tsx';
import { discard, type Outgoing, sendAgain, useIsOffline } from './outbox.ts';
import type { MessageState } from './use-chat.ts';

const LinkedText = lazyPart(() => import('./LinkedText.tsx'));

interface BubbleLayoutProps {
  own: boolean;
  isFirst: boolean;
  /** Above the bubble, e.g. the author. */
  head?: ReactNode;
  /** Beside the bubble. */
  aside?: ReactNode;
  /** Below the bubble. */
  foot?: ReactNode;
  className?: string;
  children: ReactNode;
}

/** One message: own ones on the right, at most 70 % wide (§9); one with a picture as wide as that, so that its text wraps below. */
export function BubbleLayout({ own, isFirst, head, aside, foot, className, children }: BubbleLayoutProps) {
  return (
    <div
      className={clsx(
        'group/message flex flex-col',
        own ? 'items-end' : 'items-start',
        isFirst ? 'pt-2' : 'pt-0.5',
      )}
    >
      {head}
      <div className={clsx('flex w-full items-center gap-1', own && 'flex-row-reverse')}>
        <div
          className={clsx(
            'max-w-[70%] overflow-hidden rounded-card',
            own ? 'rounded-br-sm bg-lagoon-soft' : 'rounded-bl-sm border border-line bg-surface',
            className,
          )}
        >
          {children}
        </div>
        {aside}
      </div>
      {foot}
    </div>
  );
}

/** The text of a message: with its own direction, its line breaks, and its web addresses as links. */
export function MessageText({ body, className }: { body: string; className?: string }) {
  const mayHaveLink = /\w[.:][\w/]/.test(body);
  return (
    <p dir="auto" className={clsx('px-3.5 py-2 wrap-anywhere whitespace-pre-wrap', className)}>
      {mayHaveLink ? (
        <Suspense fallback={body}>
          <LinkedText text={body} />
        </Suspense>
      ) : (
        body
      )}
    </p>
  );
}

/** The text of a message in a quote. */
export const quoteText = ({ body, picture }: Pick<Message, 'body' | 'picture'>) =>
  body || (picture ? 'A picture' : '');

interface QuoteProps {
  /** The message that is replied to; undefined while it is not fetched. */
  message: Message | undefined;
  onJump: () => void;
}

/** The quoted message above a reply: a tap leads to it. */
export function Quote({ message, onJump }: QuoteProps) {
  return (
    <button
      type="button"
      onClick={onJump}
      className="flex w-full flex-col border-l-4 border-lagoon bg-sunken px-3 py-1.5 text-left text-sm -outline-offset-2"
    >
      <span className="font-semibold">{message?.name ?? 'Reply'}</span>
      <span dir="auto" className="line-clamp-2 text-ink-soft wrap-anywhere">
        {message ? quoteText(message) : 'An earlier message'}
      </span>
    </button>
  );
}

interface StoredBubbleProps extends MessageMenuProps {
  isFirst: boolean;
  isLast: boolean;
  showsName: boolean;
  state: MessageState | null;
  quoted: Message | undefined;
  onJump: (sequence: number) => void;
}

/** A stored message with its menu. */
export function StoredBubble(props: StoredBubbleProps) {
  const { message, own, isFirst, isLast, showsName, state, quoted, onJump, ...menu } = props;
  const { body, picture, unsent, replyTo, name, createdAt } = message;
  const [menuTurn, setMenuTurn] = useState(0);
  const longPress = useLongPress(() => setMenuTurn((turn) => turn + 1));
  return (
    <BubbleLayout
      own={own}
      isFirst={isFirst}
      className={
        unsent ? 'border border-dashed border-edge/55 bg-transparent!' : picture ? 'w-64' : undefined
      }
      head={showsName && <Author message={message} />}
      aside={
        !unsent && <MessageMenu {...menu} message={message} own={own} turn={menuTurn} onTurn={setMenuTurn} />
      }
      foot={
        isLast && (
          <p className="figures mt-0.5 px-1 text-xs text-ink-soft">
            <time dateTime={createdAt} title={exactTime(createdAt)}>
              {clockTime(createdAt)}
            </time>
            {state && ` · ${state}`}
          </p>
        )
      }
    >
      <div {...(unsent ? {} : longPress)} className="pointer-coarse:select-none">
        {own && <span className="sr-only">You: </span>}
        {!own && !showsName && <span className="sr-only">{name}: </span>}
        {replyTo !== null && !unsent && <Quote message={quoted} onJump={() => onJump(replyTo)} />}
        {picture && !unsent && <StoredImage picture={picture} name={name} />}
        {body && <MessageText body={body} {...(unsent ? { className: 'text-ink-soft italic' } : {})} />}
      </div>
    </BubbleLayout>
  );
}

function Author({ message: { name, admin } }: { message: Message }) {
  return (
    <p className="flex max-w-[70%] items-center gap-1.5 px-1 pb-0.5 text-sm font-semibold text-ink-soft">
      <span className="truncate">{name}</span>
      {admin && <Badge tone="mango">admin</Badge>}
    </p>
  );
}

interface StoredImageProps {
  picture: Picture;
  name: string;
}

/** A picture with its viewer. */
function StoredImage({ picture, name }: StoredImageProps) {
  const viewer = useOpenState();
  const alt = picture.alt || `Picture from ${name}`;
  return (
    <>
      <button
        type="button"
        aria-label={`${alt}, open full screen`}
        onClick={viewer.open}
        className="block w-full -outline-offset-2"
      >
        <StoredPicture picture={picture} alt={alt} sizes="256px" maxHeight={360} />
      </button>
      <ImageViewer
        open={viewer.isOpen}
        onClose={viewer.close}
        src={urlAtWidth(picture.imageUrl, 1080)}
        alt={alt}
      />
    </>
  );
}

interface OutgoingBubbleProps {
  message: Outgoing;
  isFirst: boolean;
  quoted: Message | undefined;
  onJump: (sequence: number) => void;
}

/** After this time a message that is not stored can be cancelled. */
const HANGING_MS = 3_000;

/** A message of the outbox: on its way, or failed. */
export function OutgoingBubble({ message, isFirst, quoted, onJump }: OutgoingBubbleProps) {
  const { body, hasPicture, picture, upload, state, failure, clientKey, replyTo } = message;
  const hangs = useAfter(HANGING_MS);
  const isOffline = useIsOffline(message.chatId);
  const progress = state === 'sending' ? 'Sending…' : 'Waiting to be sent';
  return (
    <BubbleLayout
      own
      isFirst={isFirst}
      className={clsx(state !== 'failed' && 'opacity-75', picture && 'w-64')}
      foot={
        state === 'failed' ? (
          <FailedFoot message={message} />
        ) : (
          <p className="mt-0.5 flex items-center gap-2 px-1 text-xs text-ink-soft">
            <span>{isOffline ? 'Waiting for the network' : progress}</span>
            {(hangs || upload.step === 'uploading') && (
              <button
                type="button"
                onClick={() => discard(clientKey)}
                className="touch font-semibold text-ink underline underline-offset-2"
              >
                Cancel
              </button>
            )}
          </p>
        )
      }
    >
      <span className="sr-only">{failure ? 'You, not sent: ' : 'You: '}</span>
      {replyTo !== null && <Quote message={quoted} onJump={() => onJump(replyTo)} />}
      {picture ? (
        <img src={picture.previewUrl} alt="Being sent" className="max-h-72 w-full object-cover" />
      ) : (
        hasPicture && (
          <p className="flex items-center gap-2 px-3.5 py-2 text-ink-soft">
            <Icon of={ImageIcon} size={16} /> A picture
          </p>
        )
      )}
      {body && <MessageText body={body} />}
      {upload.step === 'uploading' && (
        <div className="px-3 py-2">
          <ProgressBar value={upload.progress} label="Sending the picture" />
        </div>
      )}
    </BubbleLayout>
  );
}

/** Why a message failed, and what can be done. */
function FailedFoot({ message: { failure, clientKey } }: { message: Outgoing }) {
  return (
    <>
      <p role="alert" className="mt-0.5 max-w-[70%] px-1 text-right text-xs font-medium text-ember">
        Not sent. {failure && noticeSentence(failure)}
      </p>
      <div className="mt-1 flex flex-wrap justify-end gap-2">
        <RetryOrDiscard onRetry={() => sendAgain(clientKey)} onDiscard={() => discard(clientKey)} />
      </div>
    </>
  );
}

/** Whether this much time has passed since the first render. */
function useAfter(delayMs: number): boolean {
  const [isOver, setIsOver] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsOver(true), delayMs);
    return () => clearTimeout(timer);
  }, [delayMs]);
  return isOver;
}
