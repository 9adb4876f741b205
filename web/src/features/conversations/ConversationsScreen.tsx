import { getRouteApi, useNavigate } from '@tanstack/react-router';
import type { ConversationRow } from '@tara/contract/conversations';
import { skeletons } from '@tara/contract/limits';
import { Message } from '@tara/contract/messages';
import { empty } from '@tara/contract/notices';
import type { Person } from '@tara/contract/profiles';
import { channel } from '@tara/contract/realtime';
import { MailQuestion, MessageCircle, SquarePen } from 'lucide-react';
import { Suspense, useState } from 'react';
import { queryClient, useLoadedPages } from '../../lib/queries.ts';
import { useRealtime } from '../../lib/realtime.ts';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { InfiniteList } from '../../ui/InfiniteList.tsx';
import { lazyPart } from '../../ui/lazy-component.tsx';
import { EmptyState, Page, Skeleton, Skeletons } from '../../ui/Page.tsx';
import { Tabs } from '../../ui/Tabs.tsx';
import { useSession } from '../accounts/index.ts';
import { ConversationItem } from './ConversationItem.tsx';
import { conversationPages, receiveInLists, refreshLists, requestPages } from './conversation-cache.ts';
import { ExpiredDialog, useExpiredDialog } from './ExpiredDialog.tsx';
import { useOpenConversation } from './MessageButton.tsx';
import { useUnreadTotals } from './unread.ts';

const NewChatDialog = lazyPart(() => import('./NewChatDialog.tsx'));
const route = getRouteApi('/_main/chats/');

/** Loads the first page of the list that the address shows. */
export const loadConversations = (show: string | undefined) =>
  queryClient.ensureInfiniteQueryData(show === 'requests' ? requestPages : conversationPages);

/** `/chats` (§2): the viewer's chats, newest first, and the message requests that wait; both are live (§7). */
export function ConversationsScreen() {
  const { show } = route.useSearch();
  const navigate = useNavigate();
  const requests = useUnreadTotals()?.requests ?? 0;
  const [isChoosing, setIsChoosing] = useState(false);
  useLiveLists();
  const choose = () => setIsChoosing(true);
  const { open, openingId, expired } = useOpenConversation();
  const openChosen = async (person: Person) => {
    if (await open(person)) setIsChoosing(false);
  };
  return (
    <Page
      title="Messages"
      width="chat"
      actions={
        <Button variant="secondary" icon={<Icon of={SquarePen} />} onClick={choose}>
          New chat
        </Button>
      }
    >
      <Tabs
        label="Chats and requests"
        value={show === 'requests' ? 'requests' : 'chats'}
        onChange={(tab) =>
          void navigate({
            to: '/chats',
            search: tab === 'requests' ? { show: 'requests' } : {},
            replace: true,
          })
        }
        tabs={[
          { value: 'chats', label: 'Chats', content: <Chats onNewChat={choose} /> },
          {
            value: 'requests',
            label: requests > 0 ? `Message requests (${requests})` : 'Message requests',
            content: <Requests />,
          },
        ].map((tab) => ({
          ...tab,
          content: <Suspense fallback={<ItemSkeletons />}>{tab.content}</Suspense>,
        }))}
      />
      {isChoosing && (
        <Suspense>
          <NewChatDialog
            openingId={openingId}
            onChoose={(person) => void openChosen(person)}
            onClose={() => setIsChoosing(false)}
          />
        </Suspense>
      )}
      <ExpiredDialog {...expired} />
    </Page>
  );
}

function Chats({ onNewChat }: { onNewChat: () => void }) {
  const { items, more } = useLoadedPages(conversationPages);
  if (items.length === 0 && !more.hasMore) {
    return (
      <EmptyState
        icon={MessageCircle}
        title={empty.chats}
        text="Your conversations with friends appear here. Chats about a plan are in the Plan Manager."
        action={<Button onClick={onNewChat}>New chat</Button>}
      />
    );
  }
  return <ItemList items={items} more={more} />;
}

function Requests() {
  const { items, more } = useLoadedPages(requestPages);
  if (items.length === 0 && !more.hasMore) {
    return (
      <EmptyState
        icon={MailQuestion}
        title="No message requests"
        text="First messages of people you do not know wait here for your answer."
      />
    );
  }
  return <ItemList items={items} more={more} />;
}

interface ItemListProps {
  items: readonly ConversationRow[];
  more: ReturnType<typeof useLoadedPages>['more'];
}

function ItemList({ items, more }: ItemListProps) {
  const [expired, showExpired] = useExpiredDialog();
  return (
    <>
      <InfiniteList {...more}>
        <ul className="-mx-2 flex flex-col gap-0.5">
          {items.map((row) => (
            <ConversationItem key={row.id} row={row} onExpired={() => showExpired(row)} />
          ))}
        </ul>
      </InfiniteList>
      <ExpiredDialog {...expired} />
    </>
  );
}

/** Brings new messages into the lists; other changes of them are fetched. */
function useLiveLists(): void {
  const { profile } = useSession();
  useRealtime([channel.collection('chats')], ({ payload }) => {
    const message = Message.safeParse(payload);
    if (message.success) receiveInLists(message.data, profile.id);
    else refreshLists();
  });
  // What was missed without a socket is fetched as well.
  useRealtime([channel.collection('conversationOwners')], refreshLists, refreshLists);
}

const ItemSkeletons = () => (
  <Skeletons count={skeletons.chatList} label="Loading chats" className="flex flex-col gap-0.5">
    {() => (
      <div className="flex h-20 items-center gap-3">
        <Skeleton shape="circle" width={56} />
        <div className="flex-1">
          <Skeleton width="40%" />
          <Skeleton width="75%" />
        </div>
      </div>
    )}
  </Skeletons>
);

/** The skeleton of the screen. */
export function ConversationsSkeleton() {
  return (
    <Page title="Messages" width="chat" actions={<Skeleton shape="box" width={128} height={44} />}>
      <Skeleton shape="box" height={44} className="mb-4" />
      <ItemSkeletons />
    </Page>
  );
}
