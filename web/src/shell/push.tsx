import { useEffect } from 'react';
import { pushAccount, usePushCard } from '../lib/push-choice.ts';
import { LazyComponent, lazyModule, whenIdle } from '../ui/lazy-component.tsx';

const pushCard = lazyModule(() => import('../features/devices/PushCard.tsx'));

/** Keeps the notifications of this device in order while a member is signed in, and shows the card that offers them. */
export function Push({ accountId }: { accountId: string }) {
  const isWanted = usePushCard(({ reason }) => reason !== null);
  useEffect(() => {
    if (pushAccount() === null) return;
    return whenIdle(() => {
      import('../lib/push.ts').then(({ syncPush }) => syncPush(accountId)).catch(() => undefined);
    });
  }, [accountId]);
  return <LazyComponent module={pushCard} isWanted={isWanted} props={{ accountId }} />;
}
