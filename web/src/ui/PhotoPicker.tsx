import { clsx } from 'clsx';
import { ImagePlus, RotateCw, X } from 'lucide-react';
import {
  type DragEvent as ReactDragEvent,
  type RefObject,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from 'react';
import { Button, IconButton } from './Button.tsx';
import { useFieldControl } from './Field.tsx';
import { Icon, ProgressBar } from './Icon.tsx';

/**
 * Hands pasted files to `onFiles`: those pasted inside `zone`, or anywhere on the page. While it is in use, a
 * file dropped beside the zone does nothing; the browser would leave the page for it, and the form with it.
 */
export function useFileTransfer(
  zone: RefObject<HTMLElement | null>,
  anywhere: boolean,
  onFiles: (files: File[]) => void,
): void {
  const handleFiles = useEffectEvent(onFiles);
  useEffect(() => {
    const paste = (event: ClipboardEvent) => {
      const files = [...(event.clipboardData?.files ?? [])];
      const inside = event.target instanceof Node && zone.current?.contains(event.target);
      if (files.length === 0 || !(anywhere || inside)) return;
      event.preventDefault();
      handleFiles(files);
    };
    const refuse = (event: DragEvent) => {
      // The zone has already handled the drop.
      if (event.defaultPrevented || !event.dataTransfer?.types.includes('Files')) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = 'none';
    };
    document.addEventListener('paste', paste);
    document.addEventListener('dragover', refuse);
    document.addEventListener('drop', refuse);
    return () => {
      document.removeEventListener('paste', paste);
      document.removeEventListener('dragover', refuse);
      document.removeEventListener('drop', refuse);
    };
  }, [zone, anywhere]);
}

/** An object URL of the chosen file, revoked when it is no longer needed. */
export function usePreviewUrl(file: File | null | undefined): string | undefined {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    if (!file) return;
    const objectUrl = URL.createObjectURL(file);
    setUrl(objectUrl);
    return () => {
      setUrl(undefined);
      URL.revokeObjectURL(objectUrl);
    };
  }, [file]);
  return file ? url : undefined;
}

interface PhotoPickerProps {
  /** The instruction, e.g. 'Add a photo'. */
  prompt: string;
  /** Which files, in words, e.g. 'JPG or PNG, up to 20 MB'. */
  rule?: string;
  /** The chosen picture's address: `usePreviewUrl(file)` or one already stored. */
  previewUrl?: string | null | undefined;
  previewAlt?: string | undefined;
  /** Chosen, dropped or pasted; checking them is the caller's. */
  onPick: (files: File[]) => void;
  onRemove?: (() => void) | undefined;
  /** Names the button that removes it, where a screen has several photos. */
  removeLabel?: string;
  /** 0–1 while it is being sent; null or absent when nothing is under way. */
  progress?: number | null;
  onCancel?: () => void;
  /** Sending failed and can be repeated; the reason is the error of the field around. */
  onRetry?: (() => void) | undefined;
  multiple?: boolean | undefined;
  /** Accepts pictures pasted anywhere on the page. For the only picker of a screen. */
  pasteAnywhere?: boolean | undefined;
  ratio?: string | undefined;
  disabled?: boolean | undefined;
  /** The element that says what is wrong, where no field around does. */
  errorId?: string | undefined;
  name?: string;
}

/** A field for a photo: choose, drop or paste it, see its preview and upload, remove it. Presentational only. */
export function PhotoPicker({
  prompt,
  rule = 'JPG or PNG',
  previewUrl,
  previewAlt = 'The chosen photo',
  onPick,
  onRemove,
  removeLabel = 'Remove photo',
  progress,
  onCancel,
  onRetry,
  multiple,
  pasteAnywhere,
  ratio = '4 / 3',
  disabled,
  errorId,
  name,
}: PhotoPickerProps) {
  const [isDraggedOver, setIsDraggedOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const field = useFieldControl({});
  const wiring = errorId ? { ...field, 'aria-describedby': errorId, 'aria-invalid': true as const } : field;
  const sending = progress !== null && progress !== undefined;
  const pick = (files: File[]) => {
    if (!disabled && files.length > 0) onPick(multiple ? files : files.slice(0, 1));
  };
  const drag = {
    onDragOver: (event: ReactDragEvent) => {
      event.preventDefault();
      setIsDraggedOver(true);
    },
    onDragLeave: () => setIsDraggedOver(false),
    onDrop: (event: ReactDragEvent) => {
      event.preventDefault();
      setIsDraggedOver(false);
      pick([...event.dataTransfer.files]);
    },
  };
  const zone = useRef<HTMLDivElement>(null);
  useFileTransfer(zone, Boolean(pasteAnywhere), pick);
  return (
    <div ref={zone} className="flex flex-col gap-3">
      <div
        {...drag}
        style={{ aspectRatio: ratio }}
        className={clsx(
          'relative w-full overflow-hidden rounded-card transition-colors has-[input:focus-visible]:outline-2 has-[input:focus-visible]:outline-offset-2 has-[input:focus-visible]:outline-lagoon',
          previewUrl ? 'bg-sunken' : 'border-2 border-dashed hover:border-lagoon',
          isDraggedOver
            ? 'border-lagoon bg-lagoon-soft'
            : !previewUrl && (wiring['aria-invalid'] ? 'border-ember' : 'border-edge'),
        )}
      >
        <input
          {...wiring}
          ref={input}
          type="file"
          name={name}
          accept="image/jpeg,image/png,.jpg,.jpeg,.png"
          multiple={multiple}
          disabled={disabled || sending}
          aria-label={wiring.id ? undefined : prompt}
          onChange={(event) => {
            pick([...(event.target.files ?? [])]);
            // Choosing the same file again must fire a change event.
            event.target.value = '';
          }}
          className="absolute inset-0 z-10 size-full scroll-my-24 cursor-pointer opacity-0 disabled:cursor-default"
        />
        {previewUrl ? (
          <img src={previewUrl} alt={previewAlt} className="size-full object-contain" />
        ) : (
          <div className="flex size-full flex-col items-center justify-center gap-1 p-4 text-center">
            <span className="mb-2 flex size-12 shrink-0 items-center justify-center rounded-full bg-lagoon-soft text-lagoon">
              <Icon of={ImagePlus} size={24} />
            </span>
            <span className="font-semibold">{prompt}</span>
            <span className="text-sm text-ink-soft">
              <span className="coarse:hidden">Drop, paste or choose. </span>
              {rule}
            </span>
          </div>
        )}
        {previewUrl && onRemove && !sending && (
          <IconButton
            label={removeLabel}
            quiet
            variant="veiled"
            onClick={onRemove}
            className="absolute! top-3 right-3 z-20"
          >
            <Icon of={X} />
          </IconButton>
        )}
        {onRetry && !sending && (
          <div className="absolute inset-x-0 bottom-0 z-20 flex items-center justify-end bg-black/70 p-2">
            <Button size="sm" variant="secondary" icon={<Icon of={RotateCw} size={16} />} onClick={onRetry}>
              Try again
            </Button>
          </div>
        )}
        {sending && (
          <div className="absolute inset-x-0 bottom-0 z-20 flex items-center gap-3 bg-black/70 py-2 pr-2 pl-4 text-white">
            <ProgressBar value={progress} label="Sending the photo" onDark />
            {onCancel && (
              <button
                type="button"
                onClick={onCancel}
                className="min-h-11 rounded-control px-3 text-sm font-semibold hover:bg-white/15"
              >
                Cancel
              </button>
            )}
          </div>
        )}
      </div>
    </div>
  );
}
