import { useEffect, useRef, useState } from 'react';

/**
 * The address of a picture behind a short-lived link. It stays while it works, though the list brings newer ones: each
 * load is a recorded look. When it fails, fresh links are fetched once; failing again needs the person's `retry`.
 */
export function useRenewedUrl(newest: string, askAgain: () => Promise<void>) {
  const [shown, setShown] = useState(newest);
  const [failed, setFailed] = useState(false);
  const triedAgain = useRef(false);
  useEffect(() => {
    if (!failed || newest === shown) return;
    setShown(newest);
    setFailed(false);
  }, [failed, newest, shown]);
  return {
    shown,
    failed,
    onError() {
      setFailed(true);
      if (triedAgain.current) return;
      triedAgain.current = true;
      void askAgain();
    },
    retry() {
      void askAgain();
    },
  };
}
