import { CloudOff } from 'lucide-react';
import { useEffect } from 'react';
import { noteAnswer, useOffline } from '../lib/offline.ts';
import { queryClient } from '../lib/queries.ts';
import { watchServer } from '../lib/recovery.ts';
import { Icon } from '../ui/Icon.tsx';

/** The server answers again: what is on screen may be from before. */
async function comeBack(): Promise<void> {
  noteAnswer(true);
  await queryClient.invalidateQueries();
}

/** Says over every screen that the server cannot be reached, until it answers. It covers no control and moves nothing. */
export function OfflineBar() {
  const { isOffline } = useOffline();
  useEffect(() => {
    const leave = () => noteAnswer(false);
    addEventListener('offline', leave);
    return () => removeEventListener('offline', leave);
  }, []);
  // A newer version of the page is no reason to load it: it is offered.
  useEffect(() => (isOffline ? watchServer(comeBack, () => void comeBack()) : undefined), [isOffline]);
  return (
    <div
      role="status"
      className="pointer-events-none fixed inset-x-0 top-[calc(64px+env(safe-area-inset-top))] z-40 flex justify-center px-4 md:top-4"
    >
      {isOffline && (
        <p className="flex animate-[fade_150ms_1s_both] items-center gap-2 rounded-full bg-ink px-4 py-1.5 text-sm font-medium text-paper shadow-lift">
          <Icon of={CloudOff} size={16} />
          You are offline. This is what was here before.
        </p>
      )}
    </div>
  );
}
