import { useEffect, useRef, useState } from 'react';

/**
 * The address of a picture behind a short-lived link. It stays while it works, though the list brings newer ones: each
 * load is a recorded look. When it fails, fresh links are fetched once; failing again needs the person's `retry`.
 */
export function useRenewedUrl(newest: string, refetch: () => Promise<void>) {
  const [url, setUrl] = useState(newest);
  const [failed, setFailed] = useState(false);
  const hasRetried = useRef(false);
  useEffect(() => {
    if (!failed || newest === url) return;
    setUrl(newest);
    setFailed(false);
  }, [failed, newest, url]);
  return {
    url,
    failed,
    onError() {
      setFailed(true);
      if (hasRetried.current) return;
      hasRetried.current = true;
      void refetch();
    },
    retry() {
      void refetch();
    },
  };
}
