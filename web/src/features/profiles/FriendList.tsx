import { Link } from '@tanstack/react-router';
import { empty } from '@tara/contract/notices';
import { type Profile, profiles } from '@tara/contract/profiles';
import { UserMinus, UsersRound } from 'lucide-react';
import { pagesOf, useCall, useLoadedPages } from '../../lib/queries.ts';
import { Button, buttonClass } from '../../ui/Button.tsx';
import { confirm, toast } from '../../ui/feedback.ts';
import { Icon } from '../../ui/Icon.tsx';
import { InfiniteList } from '../../ui/InfiniteList.tsx';
import { EmptyState } from '../../ui/Page.tsx';
import { PersonCard } from './PersonCard.tsx';

export const friendPages = pagesOf(profiles.friends);

/** The viewer's own friends, the newest first, each of whom can be removed (§6). */
export function FriendList() {
  const { items, more } = useLoadedPages(friendPages);
  if (items.length === 0 && !more.hasMore) {
    return (
      <EmptyState
        icon={UsersRound}
        title={empty.friends}
        text="You become friends when a request for a plan is accepted, yours or theirs."
        action={
          <Link to="/all-users" className={buttonClass()}>
            Find Friends
          </Link>
        }
      />
    );
  }
  return (
    <InfiniteList {...more}>
      <ul className="tiles">
        {items.map((person) => (
          <li key={person.id}>
            <PersonCard person={person} action={<RemoveFriend person={person} />} />
          </li>
        ))}
      </ul>
    </InfiniteList>
  );
}

function RemoveFriend({ person: { id, name } }: { person: Profile }) {
  const remove = useCall(profiles.removeFriend, {
    invalidates: [profiles.friends],
    onSuccess: () => {
      toast({ title: `${name} is no longer on your friend list.`, tone: 'success' });
    },
  });
  const ask = async () => {
    const isConfirmed = await confirm({
      title: `Remove ${name}?`,
      text: 'You stay on their list, and they are not told. You become friends again when another request is accepted.',
      confirmLabel: 'Remove',
      tone: 'danger',
    });
    if (isConfirmed) remove.mutate({ body: { friendId: id } });
  };
  return (
    <Button
      variant="secondary"
      size="sm"
      icon={<Icon of={UserMinus} size={16} />}
      pending={remove.isPending}
      aria-label={`Remove ${name} from your friends`}
      onClick={() => void ask()}
    >
      Remove
    </Button>
  );
}
