import { useEffect, useState } from 'react';

/** An address at which the chosen file can be seen before it is sent; given back when it is no longer needed. */
export function usePreviewUrl(file: File | null | undefined): string | undefined {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    if (!file) return;
    const made = URL.createObjectURL(file);
    setUrl(made);
    return () => {
      setUrl(undefined);
      URL.revokeObjectURL(made);
    };
  }, [file]);
  return file ? url : undefined;
}
