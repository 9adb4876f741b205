import { Link } from '@tanstack/react-router';
import type { Interaction, InteractionList } from '@tara/contract/interactions/interactions';
import { empty } from '@tara/contract/notices';
import { Handshake } from 'lucide-react';
import type { ReactNode } from 'react';
import { useLoadedPages } from '../../lib/queries.ts';
import { buttonClass } from '../../ui/Button.tsx';
import { InfiniteList } from '../../ui/InfiniteList.tsx';
import { EmptyState } from '../../ui/Page.tsx';
import { useSession } from '../accounts/index.ts';
import { listPages } from './interaction-cache.ts';

/** The requests of one list, as far as it was read; `empty` when there is none. */
export function RequestList({
  list: { items, more },
  heading,
  empty,
  children,
}: {
  list: Pick<ReturnType<typeof useRequestList>, 'items' | 'more'>;
  /** For screen readers only; the page or the tab shows its own heading. */
  heading?: string;
  empty: ReactNode;
  children: (request: Interaction) => ReactNode;
}) {
  if (items.length === 0) return empty;
  return (
    <InfiniteList {...more}>
      {heading && <h2 className="sr-only">{heading}</h2>}
      <ul className="flex flex-col gap-4">
        {items.map((request) => (
          <li key={request.id}>{children(request)}</li>
        ))}
      </ul>
    </InfiniteList>
  );
}

/** An empty list of requests for the viewer's plans. */
export const NoFriendRequests = () => (
  <NoRequests next="plans" text="When somebody requests one of your plans, you accept it here." />
);

interface NoRequestsProps {
  text: string;
  next: 'people' | 'plans';
  /** Beside another list, without a drawing. */
  compact?: boolean;
}

/** 'No Current Request' (§8): what the list is for, and a link to get started. */
export function NoRequests({ text, next, compact }: NoRequestsProps) {
  const { profile } = useSession();
  const look = buttonClass({ variant: 'secondary' });
  return (
    <EmptyState
      {...(compact ? { icon: Handshake } : { illustration: 'sailing' as const })}
      title={empty.requests}
      text={text}
      className="py-6!"
      action={
        next === 'people' ? (
          <Link to="/all-users" className={look}>
            Find friends and their plans
          </Link>
        ) : (
          <Link to="/profile/plans/$id" params={{ id: profile.id }} className={look}>
            Your plans
          </Link>
        )
      }
    />
  );
}

/** The requests of one list, as far as it was read. */
export const useRequestList = (list: InteractionList) => useLoadedPages(listPages(list));
