import type { InfiniteData } from '@tanstack/react-query';
import { previewLength } from '@tara/contract/limits';
import { type ConversationRow, conversations } from '@tara/contract/messages/conversations';
import type { Message } from '@tara/contract/messages/messages';
import { picturePreview } from '@tara/contract/notices';
import type { PageOf } from '@tara/contract/page';
import { afterPause } from '../../lib/after-pause.ts';
import { invalidate, pagesOf, queryClient } from '../../lib/queries.ts';

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
