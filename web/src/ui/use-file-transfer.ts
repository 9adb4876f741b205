import { type RefObject, useEffect, useEffectEvent, useState } from 'react';

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
