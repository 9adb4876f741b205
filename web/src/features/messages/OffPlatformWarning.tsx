import type { Message } from '@tara/contract/messages/messages';
import { offPlatformWarning } from '@tara/contract/notices';
import { proposesOffPlatform } from '@tara/contract/off-platform/off-platform';
import { ShieldAlert } from 'lucide-react';
import { useMemo, useState } from 'react';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { useSession } from '../accounts/index.ts';

interface OffPlatformWarningProps {
  chatId: string;
  messages: readonly Message[];
}

/** What was found out of a message stays: a chat has hundreds of them, and grows by one. */
const verdicts = new WeakMap<Message, boolean>();

function isSuspicious(message: Message): boolean {
  const known = verdicts.get(message);
  if (known !== undefined) return known;
  const verdict = proposesOffPlatform(message.body);
  verdicts.set(message, verdict);
  return verdict;
}

/** Above messages of which one proposes to pay or go on outside of Tara; once per chat, in both languages. */
export default function OffPlatformWarning({ chatId, messages }: OffPlatformWarningProps) {
  const { profile } = useSession();
  const storageKey = `tara-off-platform:${profile.id}:${chatId}`;
  const [isRead, setIsRead] = useState(() => readFlag(storageKey));
  const isWanted = useMemo(
    () =>
      !isRead &&
      messages.some(
        (message) =>
          message.userId !== profile.id && !message.admin && !message.unsent && isSuspicious(message),
      ),
    [isRead, messages, profile.id],
  );
  if (!isWanted) return null;
  return (
    <section
      aria-label="Warning"
      className="flex max-h-[40dvh] shrink-0 flex-col gap-2 overflow-y-auto border-b border-line bg-mango-soft px-4 py-3 text-sm text-mango-ink"
    >
      {(['en', 'fil'] as const).map((language) => (
        <p key={language} lang={language} className="flex gap-2">
          <Icon of={ShieldAlert} size={16} className="mt-0.5 shrink-0" />
          <span>
            <strong className="font-semibold">{offPlatformWarning[language].title}.</strong>{' '}
            {offPlatformWarning[language].text}
          </span>
        </p>
      ))}
      <Button
        size="sm"
        variant="secondary"
        className="self-start"
        onClick={() => {
          storeFlag(storageKey);
          setIsRead(true);
        }}
      >
        I have read it
      </Button>
    </section>
  );
}

function readFlag(key: string): boolean {
  try {
    return localStorage.getItem(key) !== null;
  } catch {
    // Storage can be forbidden; then the warning is shown again at the next visit.
    return false;
  }
}

function storeFlag(key: string): void {
  try {
    localStorage.setItem(key, 'read');
  } catch {
    // As above.
  }
}
