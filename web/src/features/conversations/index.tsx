import type { InfiniteData } from '@tanstack/react-query';
import { Link, linkOptions, useNavigate } from '@tanstack/react-router';
import { previewLength } from '@tara/contract/limits';
import type { Person } from '@tara/contract/members/profiles';
import {
  type Conversation,
  type ConversationRow,
  conversations,
} from '@tara/contract/messages/conversations';
import type { Message } from '@tara/contract/messages/messages';
import { notices, picturePreview } from '@tara/contract/notices';
import type { PageOf } from '@tara/contract/page';
import { MessageCircle } from 'lucide-react';
import { useState } from 'react';
import { call, errorNotice, isProblem, showErrorToast } from '../../lib/call.ts';
import { invalidate, pagesOf, queryClient } from '../../lib/queries.ts';
import { Button, buttonClass } from '../../ui/Button.tsx';
import { toast } from '../../ui/feedback.ts';
import { Icon } from '../../ui/Icon.tsx';
import { ResponsiveDialog } from '../../ui/Overlays.tsx';
import { useSession } from '../accounts/index.ts';
import { afterPause } from './unread.ts';

/** The viewer's chats, newest first. */
export const conversationPages = pagesOf(conversations.list);
/** The message requests that wait for the viewer. */
export const requestPages = pagesOf(conversations.list, { query: { requests: 'only' } });

type Pages = InfiniteData<PageOf<ConversationRow>>;
const lists = [conversationPages, requestPages];

/** Refetches the lists, once for all changes that arrive together. */
export const refreshLists = afterPause(() => void invalidate(conversations.list));

/** Replaces a row in the lists, or takes it out; `first` moves it to the top. */
function changeRow(
  id: string,
  change: (row: ConversationRow) => ConversationRow | null,
  first = false,
): void {
  for (const { queryKey } of lists) {
    queryClient.setQueryData<Pages>(queryKey, (data) => {
      const row = data?.pages.flatMap(({ items }) => items).find((item) => item.id === id);
      if (!data || !row) return data;
      const next = change(row);
      if (next === row) return data;
      const pages = data.pages.map((page, index) => {
        const items = page.items.flatMap((item) => (item.id !== id ? item : first ? [] : (next ?? [])));
        return { ...page, items: first && next && index === 0 ? [next, ...items] : items };
      });
      return { ...data, pages };
    });
  }
}

const findRow = (id: string) =>
  lists
    .flatMap(({ queryKey }) => queryClient.getQueryData<Pages>(queryKey)?.pages ?? [])
    .flatMap(({ items }) => items)
    .find((row) => row.id === id);

/** What a list of chats shows of a message. */
const previewOf = ({ body, picture }: Pick<Message, 'body' | 'picture'>) =>
  body === '' && picture !== null ? picturePreview : body.slice(0, previewLength);

/**
 * Brings a message that was sent or taken back into the lists: preview, time, unread count and order. What the row
 * does not contain, such as a message of a chat that is not listed, or after one that was missed, is fetched.
 */
export function receiveInLists(message: Message, viewerId: string): void {
  const { chatId, sequence } = message;
  const own = message.userId === viewerId;
  const row = findRow(chatId);
  const isFetching = queryClient.isFetching({ queryKey: conversations.list.key }) > 0;
  // A reply to a request moves it to another list; a list that is being fetched may be older than the message.
  const isPlain =
    row !== undefined && !row.expired && row.request === null && sequence <= row.lastSequence + 1;
  if (!isPlain || isFetching) refreshLists();
  if (!isPlain || sequence < row.lastSequence) return;
  const isNew = sequence > row.lastSequence;
  const change = ({ unread, updatedAt, ...rest }: ConversationRow) => ({
    ...rest,
    preview: previewOf(message),
    previewOwn: own,
    lastSequence: sequence,
    unread: isNew ? (own ? 0 : unread + 1) : unread,
    updatedAt: isNew ? message.createdAt : updatedAt,
  });
  changeRow(chatId, change, isNew);
}

/** The viewer has read a chat. */
export const markRowRead = (id: string): void =>
  changeRow(id, (row) => (row.unread === 0 ? row : { ...row, unread: 0 }));

/** The viewer deleted a chat, or ignored a request. */
export const removeRow = (id: string): void => changeRow(id, () => null);

/** Whether nobody can write any more; a paid request between the two keeps a conversation open (§4). */
const hasExpired = ({ removeExpired, chat }: Conversation) => !removeExpired && chat.readOnly === 'expired';

/** Opens conversations; of one that expired it shows the notice, by an `ExpiredDialog` with `expired`. */
export function useOpenConversation() {
  const { account, profile } = useSession();
  const navigate = useNavigate();
  const [openingId, setOpeningId] = useState<string | null>(null);
  const [expired, showExpired] = useExpiredDialog();

  const create = async (person: Person) => {
    const body = { creator1: profile.id, creator2: person.id };
    const created = await call(conversations.createConversation, { body });
    refreshLists();
    return created;
  };
  const find = async (person: Person) => {
    try {
      const mixId = account.id + person.accountId;
      const args = { params: { mixId }, query: { pages: 1 } };
      return (await call(conversations.conversation, args)).conversation;
    } catch (error) {
      if (isProblem(error, 'conversation_not_found')) return null;
      throw error;
    }
  };
  const showFailure = (error: unknown, person: Person) => {
    if (!isProblem(error, 'conversation_not_wanted')) return showErrorToast(error);
    const onPress = () => void navigate({ to: '/profile/plans/$id', params: { id: person.id } });
    toast({ ...errorNotice(error), tone: 'danger', action: { label: 'View Plans', onPress } });
  };

  return {
    /** Profile id of the member whose conversation is being opened. */
    openingId,
    expired,
    /**
     * Opens the conversation with a member, which is created when there is none (§4).
     * @returns false when that failed, which was shown.
     */
    async open(person: Person): Promise<boolean> {
      if (openingId !== null) return false;
      setOpeningId(person.id);
      try {
        const conversation = (await find(person)) ?? (await create(person));
        if (hasExpired(conversation)) showExpired(conversation);
        else await navigate(conversationLink(conversation, account.id));
        return true;
      } catch (error) {
        showFailure(error, person);
        return false;
      } finally {
        setOpeningId(null);
      }
    },
  };
}

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

interface ExpiredConversation extends ConversationAddress {
  person: Pick<Person, 'id' | 'name'>;
}

interface ExpiredDialogProps {
  /** The conversation that expired, also while its notice closes. */
  conversation: ExpiredConversation | null;
  open: boolean;
  onClose: () => void;
}

/** What `ExpiredDialog` needs, and the function that shows it. */
export function useExpiredDialog(): [ExpiredDialogProps, (conversation: ExpiredConversation) => void] {
  const [state, setState] = useState<Omit<ExpiredDialogProps, 'onClose'>>({
    conversation: null,
    open: false,
  });
  return [
    { ...state, onClose: () => setState((shown) => ({ ...shown, open: false })) },
    (conversation) => setState({ conversation, open: true }),
  ];
}

/** The notice 'Expired Conversation' (§8): the way to the other's plans, and to what was written. */
export function ExpiredDialog({ conversation, open, onClose }: ExpiredDialogProps) {
  const { account } = useSession();
  const { title, text } = notices.expiredConversation;
  return (
    <ResponsiveDialog
      open={open}
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={title}
      description={text}
      actions={
        conversation && (
          <>
            <Link
              {...conversationLink(conversation, account.id)}
              onClick={onClose}
              className={buttonClass({ variant: 'secondary' })}
            >
              Read the chat
            </Link>
            {conversation.person.id !== '' && (
              <Link
                to="/profile/plans/$id"
                params={{ id: conversation.person.id }}
                onClick={onClose}
                className={buttonClass()}
              >
                View Plans
              </Link>
            )}
          </>
        )
      }
    />
  );
}

/** A conversation by what its address has: the ids of the two accounts joined, and its own where it is known. */
interface ConversationAddress {
  id?: string;
  mixId: string;
}

/** The account id of the other member: what is left of the pair key without the viewer's. */
const otherAccountId = (mixId: string, ownAccountId: string) =>
  mixId.startsWith(ownAccountId) ? mixId.slice(ownAccountId.length) : mixId.slice(0, -ownAccountId.length);

/** `/chats/{accountId}?id={conversation id}&mixId={pair key}` (§2). */
export const conversationLink = ({ id, mixId }: ConversationAddress, ownAccountId: string) =>
  linkOptions({
    to: '/chats/$id',
    params: { id: otherAccountId(mixId, ownAccountId) },
    search: { ...(id === undefined ? {} : { id }), mixId },
  });
