import type { QueryKey } from '@tanstack/react-query';
import { clsx } from 'clsx';
import { CloudOff } from 'lucide-react';
import { useEffect } from 'react';
import { noteAnswer, useOffline } from '../lib/offline.ts';
import { useWaiting } from '../lib/outbox-storage.ts';
import { queryClient } from '../lib/queries.ts';
import { watchServer } from '../lib/recovery.ts';
import { Icon } from '../ui/Icon.tsx';

const comeBack = async () => noteAnswer(true);

/** Reads again what the screens have from last time. */
function refreshRestored(restored: readonly QueryKey[]): void {
  useOffline.setState({ restored: [] });
  for (const queryKey of restored) void queryClient.invalidateQueries({ queryKey, exact: true });
}

/** Says over every screen that the server cannot be reached, until it answers. It lies on the edge that screens leave free, and
 * moves nothing. Wide screens have a header in chats alone: `isBelowHeader`. */
export function OfflineBar({ isBelowHeader }: { isBelowHeader: boolean }) {
  const { isOffline, restored } = useOffline();
  const waiting = useWaiting();
  useEffect(() => {
    const leave = () => noteAnswer(false);
    addEventListener('offline', leave);
    return () => removeEventListener('offline', leave);
  }, []);
  useEffect(() => (isOffline ? watchServer(comeBack) : undefined), [isOffline]);
  useEffect(() => {
    if (!isOffline && restored.length > 0) refreshRestored(restored);
  }, [isOffline, restored]);
  return (
    <div
      role="status"
      className={clsx(
        'pointer-events-none sticky top-[calc(56px+env(safe-area-inset-top))] z-20 h-0',
        !isBelowHeader && 'md:top-0',
      )}
    >
      {isOffline && (
        <p className="flex h-5 animate-[fade_150ms_1s_both] items-center justify-center gap-1.5 bg-ink px-4 text-xs font-medium text-paper">
          <Icon of={CloudOff} size={14} />
          {waiting === 0
            ? 'You are offline: what you see may be older'
            : `You are offline: ${waiting} waiting to be sent`}
        </p>
      )}
    </div>
  );
}
