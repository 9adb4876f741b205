import type { Picture as StoredPicture } from '@tara/contract/fields';
import { urlAtWidth } from '@tara/contract/files';
import type { Message } from '@tara/contract/messages';
import { type ReactNode, Suspense, useState } from 'react';
import { useHistoryFlag } from '../../lib/use-history-flag.ts';
import { Badge } from '../../ui/Badge.tsx';
import { cx } from '../../ui/cx.ts';
import { lazyPart } from '../../ui/lazy-component.tsx';
import { ImageViewer } from '../../ui/lazy-overlays.tsx';
import { Picture } from '../../ui/Picture.tsx';
import { clockTime, exactTime } from '../../ui/TimeLabel.tsx';
import type { MessageState } from './list-rows.ts';
import { MessageMenu, type MessageMenuProps, useLongPress } from './MessageMenu.tsx';

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
      className={cx(
        'group/message flex flex-col',
        own ? 'items-end' : 'items-start',
        isFirst ? 'pt-2' : 'pt-0.5',
      )}
    >
      {head}
      <div className={cx('flex w-full items-center gap-1', own && 'flex-row-reverse')}>
        <div
          className={cx(
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
    <p dir="auto" className={cx('px-3.5 py-2 wrap-anywhere whitespace-pre-wrap', className)}>
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

/** What stands for a message in a quote. */
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
        {picture && !unsent && <StoredImage id={message.id} picture={picture} name={name} />}
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
  /** Of its message. */
  id: string;
  picture: StoredPicture;
  name: string;
}

/** A picture with its viewer, which Back closes too. */
function StoredImage({ id, picture, name }: StoredImageProps) {
  const viewer = useHistoryFlag(`picture ${id}`);
  const alt = picture.alt || `Picture from ${name}`;
  return (
    <>
      <button
        type="button"
        aria-label={`${alt}, open full screen`}
        onClick={viewer.open}
        className="block w-full -outline-offset-2"
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
        open={viewer.isOpen}
        onClose={viewer.close}
        src={urlAtWidth(picture.imageUrl, 1080)}
        alt={alt}
      />
    </>
  );
}
