import { clsx } from 'clsx';
import { Bell, BellOff } from 'lucide-react';
import { useState } from 'react';
import { closePushCard, declinePush, type PushReason, usePushCard } from '../../lib/push-choice.ts';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Card } from '../../ui/Page.tsx';
import { thisDevice } from './labels.ts';
import { turnOnHere } from './turn-on.ts';

const hint =
  'Your browser asks you next. What others write is not shown, unless you switch that on in the settings.';

const textsOf = (reason: PushReason) =>
  ({
    request: {
      title: 'Know at once when they answer',
      text: `Tara can notify ${thisDevice()} of what happens to your request, also while it is closed. ${hint}`,
    },
    message: {
      title: 'Know at once when they write back',
      text: `Tara can notify ${thisDevice()} of messages and requests, also while it is closed. ${hint}`,
    },
    stopped: {
      title: `Notifications stopped on ${thisDevice()}`,
      text: 'You hear about messages and requests only while Tara is open.',
    },
  })[reason];

/**
 * Explains what notifications are for before the browser asks. It takes no focus and covers no field: it is above the lower bars,
 * in a chat below the upper one, for what was just sent is at the end.
 */
export default function PushCard({ accountId }: { accountId: string }) {
  const { reason } = usePushCard();
  const [isPending, setIsPending] = useState(false);
  if (reason === null) return null;
  const { title, text } = textsOf(reason);
  const turnOn = async () => {
    setIsPending(true);
    const result = await turnOnHere(accountId);
    setIsPending(false);
    // What the person decided counts; what failed is offered again.
    if (result === 'denied' || result === 'dismissed') declinePush();
    else closePushCard();
  };
  return (
    <section
      aria-label="Notifications"
      className={clsx(
        'fixed inset-x-0 z-40 p-3 md:left-auto md:w-96 md:p-6',
        reason === 'message'
          ? 'top-[calc(4rem+env(safe-area-inset-top))]'
          : 'bottom-[calc(env(safe-area-inset-bottom)+var(--bottom-bar,0px)+var(--composer,0px))]',
      )}
    >
      <Card className="animate-rise bg-raised shadow-lift">
        <div role="status" className="flex items-start gap-3">
          <Icon of={reason === 'stopped' ? BellOff : Bell} className="mt-0.5 shrink-0 text-lagoon" />
          <div className="min-w-0">
            <p className="font-semibold">{title}</p>
            <p className="mt-1 text-sm text-ink-soft">{text}</p>
          </div>
        </div>
        <div className="mt-3 flex justify-end gap-2">
          <Button variant="ghost" size="sm" onClick={declinePush}>
            Not now
          </Button>
          <Button variant="secondary" size="sm" pending={isPending} onClick={() => void turnOn()}>
            Turn on
          </Button>
        </div>
      </Card>
    </section>
  );
}
