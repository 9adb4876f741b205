import { Copy, Send } from 'lucide-react';
import { useId } from 'react';
import { Button } from './Button.tsx';
import { TextInput } from './Field.tsx';
import { toast } from './feedback.ts';
import { Icon } from './Icon.tsx';

interface CopyLinkProps {
  label: string;
  url: string;
  /** What it leads to, for the app that it is sent by. */
  title: string;
}

/** A link to copy, or to send by an app of the device. */
export function CopyLink({ label, url, title }: CopyLinkProps) {
  const id = useId();
  const data = { title, url };
  const canSend = navigator.canShare?.(data) === true;
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(url);
      toast({ title: 'The link is copied.', tone: 'success' });
    } catch {
      // Copying can be forbidden, and is on pages without https: the link can be selected.
      toast({ title: 'The link could not be copied.', tone: 'danger' });
    }
  };
  const send = async () => {
    try {
      await navigator.share(data);
    } catch (error) {
      // The person closed the sheet; any other failure leaves copying.
      if (!(error instanceof DOMException && error.name === 'AbortError')) await copy();
    }
  };
  return (
    <div className="flex flex-col gap-3">
      <label htmlFor={id} className="font-semibold">
        {label}
      </label>
      <TextInput id={id} readOnly value={url} onFocus={(event) => event.currentTarget.select()} />
      <div className="flex flex-wrap gap-2">
        {canSend && (
          <Button size="sm" icon={<Icon of={Send} size={16} />} onClick={() => void send()}>
            Send
          </Button>
        )}
        <Button size="sm" variant="secondary" icon={<Icon of={Copy} size={16} />} onClick={() => void copy()}>
          Copy
        </Button>
      </div>
    </div>
  );
}
