import { messageLength, timer } from '@tara/contract/limits';
import { type ChatKind, isBlank, type Message } from '@tara/contract/messages/messages';
import { problems } from '@tara/contract/problems';
import { CornerUpLeft, ImagePlus, SendHorizontal, X } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { readDraft, writeDraft } from '../../lib/draft-storage.ts';
import { sendRealtime } from '../../lib/realtime.ts';
import { deleteUnsentFile, readUnsentFile, saveUnsentFile } from '../../lib/unsent-files.ts';
import { refusedFileNotice } from '../../lib/upload.ts';
import { IconButton } from '../../ui/Button.tsx';
import { TextArea } from '../../ui/Field.tsx';
import { toast } from '../../ui/feedback.ts';
import { Icon } from '../../ui/Icon.tsx';
import { useMediaQuery } from '../../ui/Page.tsx';
import { useFileTransfer, usePreviewUrl } from '../../ui/PhotoPicker.tsx';
import { useSession } from '../accounts/index.ts';
import { quoteText } from './MessageBubble.tsx';
import { send } from './outbox.ts';

interface MessageInputProps {
  id: string;
  kind: ChatKind;
  allowsPictures: boolean;
  replyTo: Message | null;
  onReplyTo: (message: Message | null) => void;
  onSend: () => void;
}

/** The message form. Enter sends if there is a keyboard; pictures can be chosen, dropped or pasted. */
export function MessageInput({ id, kind, allowsPictures, replyTo, onReplyTo, onSend }: MessageInputProps) {
  const { profile } = useSession();
  const [text, setText] = useStoredText(`message:${profile.id}:${id}`);
  const [file, setFile] = useStoredFile(`picture:${profile.id}:${id}`, profile.id);
  const previewUrl = usePreviewUrl(file);
  const zone = useRef<HTMLFormElement>(null);
  const area = useRef<HTMLTextAreaElement>(null);
  const chooser = useRef<HTMLInputElement>(null);
  const tellTyping = useTypingSignal(id);
  // On phones, Enter is the only way to insert a new line.
  const hasKeyboard = useMediaQuery('(pointer: fine)');
  useEffect(() => {
    if (replyTo) area.current?.focus();
  }, [replyTo]);

  const pick = ([chosen]: File[]) => {
    if (!chosen) return;
    const notice = allowsPictures ? refusedFileNotice(chosen, 'messageFiles') : textOnly;
    if (notice) toast({ ...notice, tone: 'danger', durationMs: timer.formToastMs });
    else {
      setFile(chosen);
      area.current?.focus();
    }
  };
  useFileTransfer(zone, true, pick);
  const message = text.trim();
  // Empty text is not sent (§5).
  const isEmpty = isBlank(message) && file === null;
  const submit = () => {
    if (isEmpty) return;
    send({
      chatId: id,
      kind,
      userId: profile.id,
      body: message,
      replyTo: replyTo?.sequence ?? null,
      file,
    });
    setText('');
    setFile(null);
    onReplyTo(null);
    onSend();
    area.current?.focus();
  };
  const keyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Escape') onReplyTo(null);
    if (event.key !== 'Enter' || event.shiftKey || !hasKeyboard) return;
    event.preventDefault();
    submit();
  };
  return (
    <form
      ref={zone}
      aria-label="Write a message"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        pick([...event.dataTransfer.files]);
      }}
      className="flex shrink-0 flex-col gap-2 border-t border-line bg-paper px-2 py-2 sm:px-4"
    >
      {replyTo && (
        <ReplyBar
          message={replyTo}
          onCancel={
            <IconButton label="Cancel the reply" quiet size="sm" onClick={() => onReplyTo(null)}>
              <Icon of={X} size={16} />
            </IconButton>
          }
        />
      )}
      {previewUrl && (
        <div className="relative w-fit">
          <img src={previewUrl} alt="To be sent" className="h-24 max-w-60 rounded-control object-cover" />
          <IconButton
            label="Remove picture"
            quiet
            variant="veiled"
            size="sm"
            onClick={() => setFile(null)}
            className="absolute! top-1 right-1"
          >
            <Icon of={X} size={16} />
          </IconButton>
        </div>
      )}
      <div className="flex items-end gap-1">
        {allowsPictures && (
          <>
            <input
              ref={chooser}
              type="file"
              accept="image/jpeg,image/png,.jpg,.jpeg,.png"
              aria-label="Picture"
              tabIndex={-1}
              onChange={(event) => {
                pick([...(event.target.files ?? [])]);
                // Choosing the same file again must fire a change event.
                event.target.value = '';
              }}
              className="sr-only"
            />
            <IconButton label="Add a picture" onClick={() => chooser.current?.click()}>
              <Icon of={ImagePlus} />
            </IconButton>
          </>
        )}
        <TextArea
          ref={area}
          rows={1}
          maxRows={6}
          dir="auto"
          aria-label="Message"
          placeholder="Write a message"
          enterKeyHint={hasKeyboard ? 'send' : 'enter'}
          maxLength={messageLength}
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            tellTyping();
          }}
          onKeyDown={keyDown}
          className="min-w-0 flex-1"
        />
        <IconButton
          type="submit"
          label={isEmpty ? 'Send (write something first)' : 'Send'}
          aria-disabled={isEmpty || undefined}
          className={isEmpty ? 'opacity-55' : 'text-lagoon!'}
        >
          <Icon of={SendHorizontal} />
        </IconButton>
      </div>
    </form>
  );
}

/** The bar above the input while a reply is written. */
function ReplyBar({ message, onCancel }: { message: Message; onCancel: ReactNode }) {
  return (
    <div className="flex items-center gap-2 rounded-control bg-sunken py-1 pr-1 pl-3">
      <Icon of={CornerUpLeft} size={16} className="shrink-0 text-ink-soft" />
      <p className="min-w-0 flex-1 text-sm">
        <span className="block font-semibold">Reply to {message.name}</span>
        <span dir="auto" className="block truncate text-ink-soft">
          {quoteText(message)}
        </span>
      </p>
      {onCancel}
    </div>
  );
}

/** A text stored for this tab, so that it survives a reload and navigation. */
function useStoredText(key: string): [text: string, setText: (text: string) => void] {
  const [text, setText] = useState(() => readDraft(key) ?? '');
  return [
    text,
    (next) => {
      setText(next);
      writeDraft(key, next === '' ? null : next);
    },
  ];
}

/** A file stored for this tab, so that it survives a reload and navigation. */
function useStoredFile(
  key: string,
  userId: string,
): [file: File | null, setFile: (file: File | null) => void] {
  const [file, setFile] = useState<File | null>(null);
  useEffect(() => {
    const fileKey = readDraft(key);
    let isWanted = fileKey !== null;
    if (fileKey) void readUnsentFile(fileKey).then((stored) => isWanted && setFile((now) => now ?? stored));
    return () => {
      isWanted = false;
    };
  }, [key]);
  return [
    file,
    (next) => {
      setFile(next);
      const earlier = readDraft(key);
      if (earlier) void deleteUnsentFile(earlier);
      const fileKey = next && crypto.randomUUID();
      if (next && fileKey) void saveUnsentFile(fileKey, userId, next);
      writeDraft(key, fileKey);
    },
  ];
}

const textOnly = problems.chat_request_text_only;

/** At most one sign of typing is sent in this time. */
const TYPING_INTERVAL_MS = 3_000;

/** Announces to the other member that one types, every few seconds and only by the socket. */
function useTypingSignal(chatId: string) {
  const sentAt = useRef(Number.NEGATIVE_INFINITY);
  return () => {
    if (performance.now() - sentAt.current < TYPING_INTERVAL_MS) return;
    sentAt.current = performance.now();
    sendRealtime('presence', { status: 'typing', metadata: { chatId } });
  };
}
