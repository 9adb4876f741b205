import type { Message } from '@tara/contract/messages';
import { ImageIcon, RotateCw, Trash2 } from 'lucide-react';
import { useEffect, useState } from 'react';
import { noticeSentence } from '../../lib/failure.ts';
import { Button } from '../../ui/Button.tsx';
import { cx } from '../../ui/cx.ts';
import { Icon, ProgressBar } from '../../ui/Icon.tsx';
import { BubbleLayout, MessageText, Quote } from './MessageBubble.tsx';
import { discard, type Outgoing, sendAgain } from './outbox.ts';

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
  return (
    <BubbleLayout
      own
      isFirst={isFirst}
      className={cx(state !== 'failed' && 'opacity-75', picture && 'w-64')}
      foot={
        state === 'failed' ? (
          <FailedFoot message={message} />
        ) : (
          <p className="mt-0.5 flex items-center gap-2 px-1 text-xs text-ink-soft">
            <span>{state === 'sending' ? 'Sending…' : 'Waiting to be sent'}</span>
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
        <Button
          size="sm"
          variant="secondary"
          icon={<Icon of={RotateCw} size={16} />}
          onClick={() => sendAgain(clientKey)}
        >
          Try again
        </Button>
        <Button
          size="sm"
          variant="ghost"
          icon={<Icon of={Trash2} size={16} />}
          onClick={() => discard(clientKey)}
        >
          Discard
        </Button>
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
