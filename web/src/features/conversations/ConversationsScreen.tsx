import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import type { Person } from '@tara/contract/members/profiles';
import { type ConversationRow, conversations } from '@tara/contract/messages/conversations';
import { Message } from '@tara/contract/messages/messages';
import { empty, picturePreview } from '@tara/contract/notices';
import { channel } from '@tara/contract/wire/realtime';
import { clsx } from 'clsx';
import { Check, Ellipsis, SquarePen, Trash2, X } from 'lucide-react';
import { type ComponentProps, Suspense, useState } from 'react';
import { loadPage } from '../../lib/load-page.ts';
import { queryClient, useCall, useLoadedPages } from '../../lib/queries.ts';
import { useRealtime } from '../../lib/realtime.ts';
import { PersonAvatar } from '../../lib/stored-picture.tsx';
import { Button, IconButton } from '../../ui/Button.tsx';
import { PersonName } from '../../ui/facts.tsx';
import { announce, confirm, toast } from '../../ui/feedback.ts';
import { Icon } from '../../ui/Icon.tsx';
import { PagedList } from '../../ui/InfiniteList.tsx';
import { lazyPart } from '../../ui/lazy-component.tsx';
import { Menu } from '../../ui/lazy-overlays.tsx';
import { Badge, CountBadge } from '../../ui/marks.tsx';
import { Page } from '../../ui/Page.tsx';
import { Tabs } from '../../ui/Tabs.tsx';
import { TimeLabel } from '../../ui/TimeLabel.tsx';
import { useSession } from '../accounts/index.ts';
import { refreshCounts, useCounts } from '../counts/index.ts';
import { conversationLink } from './conversation-link.ts';
import {
  conversationPages,
  markRowRead,
  receiveInLists,
  refreshLists,
  removeRow,
  requestPages,
} from './conversation-lists.ts';
import { ExpiredDialog, useExpiredDialog } from './ExpiredDialog.tsx';
import { ItemSkeletons } from './skeletons.tsx';
import { useOpenConversation } from './use-open-conversation.ts';

const NewChatDialog = lazyPart(() => import('./NewChatDialog.tsx'));
const route = getRouteApi('/_main/chats/');

/** Loads the first page of the list that the address shows. */
export async function loadConversations(show: string | undefined): Promise<void> {
  if (show === 'requests') await queryClient.ensureInfiniteQueryData(requestPages);
  else await loadPage('/chats', { conversations });
}

/** `/chats` (§2): the viewer's chats, newest first, and the message requests that wait; both are live (§7). */
export function ConversationsScreen() {
  const { show } = route.useSearch();
  const navigate = useNavigate();
  const requests = useCounts()?.messageRequests ?? 0;
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
          // The navigation has its count.
          { value: 'chats', label: 'Chats', count: 0, content: <Chats onNewChat={choose} /> },
          { value: 'requests', label: 'Message requests', count: requests, content: <Requests /> },
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
  return (
    <ItemList
      list={useLoadedPages(conversationPages)}
      empty={{
        illustration: 'together',
        title: empty.chats,
        text: 'Your conversations with friends appear here. Chats about a plan are in the Plan Manager.',
        action: <Button onClick={onNewChat}>New chat</Button>,
      }}
    />
  );
}

function Requests() {
  return (
    <ItemList
      list={useLoadedPages(requestPages)}
      empty={{
        illustration: 'cat',
        title: 'No message requests',
        text: 'First messages of people you do not know wait here for your answer.',
      }}
    />
  );
}

function ItemList(list: Omit<ComponentProps<typeof PagedList<ConversationRow>>, 'children'>) {
  const [expired, showExpired] = useExpiredDialog();
  return (
    <>
      <PagedList {...list}>
        {(rows) => (
          <ul className="-mx-2 flex flex-col gap-0.5">
            {rows.map((row) => (
              <ConversationItem key={row.id} row={row} onExpired={() => showExpired(row)} />
            ))}
          </ul>
        )}
      </PagedList>
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

interface ConversationItemProps {
  row: ConversationRow;
  /** Shows the notice of an expired conversation. */
  onExpired: () => void;
}

const pressClass = 'flex min-h-20 min-w-0 flex-1 items-center gap-3 rounded-card py-2 pr-1 pl-2 text-left';

/** One chat of the list; a press opens it, or shows that it expired (§4). */
export function ConversationItem({ row, onExpired }: ConversationItemProps) {
  const { account } = useSession();
  return (
    <li className="flex items-center gap-1 rounded-card pr-1 transition-colors hover:bg-sunken">
      {row.expired ? (
        <button type="button" onClick={onExpired} className={pressClass}>
          <ItemContent row={row} />
        </button>
      ) : (
        <Link
          {...conversationLink(row, account.id)}
          // The chat marks it as read; back in the list it is so at once.
          onClick={() => markRowRead(row.id)}
          className={pressClass}
        >
          <ItemContent row={row} />
        </Link>
      )}
      <ItemMenu row={row} />
    </li>
  );
}

function ItemContent({ row }: { row: ConversationRow }) {
  const { person, preview, previewOwn, unread, expired, updatedAt } = row;
  return (
    <>
      <PersonAvatar person={person} size="lg" />
      <span className="min-w-0 flex-1">
        <span className="flex items-center justify-between gap-3">
          <PersonName person={person} className="font-semibold" />
          <TimeLabel iso={updatedAt} className="text-sm text-ink-soft" />
        </span>
        <span className="mt-0.5 flex min-h-6 items-center justify-between gap-3">
          {expired ? (
            <span className="flex min-w-0 items-center gap-2">
              <Badge tone="mango">expired</Badge>
              <span className="truncate text-sm font-medium text-lagoon">visit my plans!</span>
            </span>
          ) : (
            <span className={clsx('flex min-w-0', unread > 0 ? 'font-semibold text-ink' : 'text-ink-soft')}>
              {previewOwn && preview !== '' && <span className="shrink-0 whitespace-pre">You: </span>}
              {/* Not as wide as the row: text from right to left stays beside the name. */}
              <span dir="auto" className="min-w-0 truncate">
                {preview === picturePreview ? 'Photo' : preview || empty.messages}
              </span>
            </span>
          )}
          <CountBadge count={unread} label="unread" className="shrink-0" />
        </span>
      </span>
    </>
  );
}

/** What can be done with a chat, or with a request. */
function ItemMenu({ row: { id, person, request } }: Pick<ConversationItemProps, 'row'>) {
  const invalidates = [conversations.list];
  const remove = useCall(conversations.deleteChat, {
    onSuccess: () => {
      removeRow(id);
      refreshCounts();
      toast({ title: 'The chat was deleted.', tone: 'success' });
    },
  });
  const answer = useCall(conversations.answerRequest, {
    invalidates,
    onSuccess: (_, { body }) => {
      removeRow(id);
      refreshCounts();
      announce(body.answer === 'accept' ? `You accepted ${person.name}.` : `You ignored ${person.name}.`);
    },
  });
  const askToDelete = async () => {
    const isConfirmed = await confirm({
      title: `Delete the chat with ${person.name}?`,
      text: `It leaves your list until one of you writes again. It stays in the list of ${person.name}, who is not told.`,
      confirmLabel: 'Delete chat',
      tone: 'danger',
    });
    if (isConfirmed) remove.mutate({ body: { convoId: id } });
  };
  const answerWith = (choice: 'accept' | 'ignore') => () =>
    answer.mutate({ body: { convoId: id, answer: choice } });
  return (
    <Menu
      label={`Chat with ${person.name}`}
      trigger={
        <IconButton label={`More about the chat with ${person.name}`} quiet>
          <Icon of={Ellipsis} />
        </IconButton>
      }
      items={
        request === 'received'
          ? [
              { label: 'Accept', icon: Check, onSelect: answerWith('accept') },
              { label: 'Ignore', icon: X, onSelect: answerWith('ignore') },
            ]
          : [{ label: 'Delete chat', icon: Trash2, tone: 'danger', onSelect: () => void askToDelete() }]
      }
    />
  );
}
