import { linkOptions } from '@tanstack/react-router';

/** A conversation by what its address has: the ids of the two accounts joined, and its own where it is known. */
export interface ConversationAddress {
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
