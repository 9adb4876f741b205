import { useEffect, useRef, useState } from 'react';

/** The URL of a picture behind a short-lived link. It is kept while it works, even if the list has a newer one: each
 * load is recorded as a view. If it fails, new links are fetched once; after that the person must press `retry`.
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
