import type { Person } from '@tara/contract/members/profiles';
import { MessageCircle } from 'lucide-react';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { ExpiredDialog } from './ExpiredDialog.tsx';
import { useOpenConversation } from './use-open-conversation.ts';

/** 'Message' on the profile of another member (§4). */
export function MessageButton({ person }: { person: Person }) {
  const { open, openingId, expired } = useOpenConversation();
  return (
    <>
      <Button
        variant="secondary"
        icon={<Icon of={MessageCircle} />}
        pending={openingId !== null}
        onClick={() => void open(person)}
      >
        Message
      </Button>
      <ExpiredDialog {...expired} />
    </>
  );
}
