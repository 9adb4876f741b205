import { messageLength, timer } from '@tara/contract/limits';
import { ImagePlus, SendHorizontal, X } from 'lucide-react';
import { type KeyboardEvent, useRef, useState } from 'react';
import { useSessionText } from '../../lib/draft.ts';
import { refusedFileNotice } from '../../lib/upload.ts';
import { IconButton } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { TextArea } from '../../ui/TextInput.tsx';
import { toast } from '../../ui/toast.ts';
import { useFileTransfer, usePreviewUrl } from '../../ui/use-file-transfer.ts';
import { useMediaQuery } from '../../ui/use-media-query.ts';
import { send } from './outbox.ts';

/** The message form. Enter sends if there is a keyboard; pictures can be chosen, dropped or pasted. */
export function MessageInput({ id }: { id: string }) {
  const [text, setText] = useSessionText(`receipt:${id}`);
  const [file, setFile] = useState<File | null>(null);
  const previewUrl = usePreviewUrl(file);
  const zone = useRef<HTMLFormElement>(null);
  const area = useRef<HTMLTextAreaElement>(null);
  const chooser = useRef<HTMLInputElement>(null);
  // On phones, Enter is the only way to insert a new line.
  const hasKeyboard = useMediaQuery('(pointer: fine)');

  const pick = ([chosen]: File[]) => {
    if (!chosen) return;
    const notice = refusedFileNotice(chosen, 'messageFiles');
    if (notice) toast({ ...notice, tone: 'danger', durationMs: timer.formToastMs });
    else {
      setFile(chosen);
      area.current?.focus();
    }
  };
  useFileTransfer(zone, true, pick);
  const message = text.trim();
  const submit = () => {
    // Empty text is not sent (§5).
    if (message === '' && file === null) return;
    send(id, message, file);
    setText('');
    setFile(null);
    area.current?.focus();
  };
  const keyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing || !hasKeyboard) return;
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
        <TextArea
          ref={area}
          rows={1}
          maxRows={6}
          aria-label="Message"
          placeholder="Write a message"
          enterKeyHint={hasKeyboard ? 'send' : 'enter'}
          maxLength={messageLength}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={keyDown}
          className="min-w-0 flex-1"
        />
        <IconButton
          type="submit"
          label={message === '' && file === null ? 'Send (write something first)' : 'Send'}
          aria-disabled={(message === '' && file === null) || undefined}
          className={message === '' && file === null ? 'opacity-55' : 'text-guava!'}
        >
          <Icon of={SendHorizontal} />
        </IconButton>
      </div>
    </form>
  );
}
