import { memberRefusal, type Viewer } from '../../platform/http/viewer.ts';
import { readOnlyReason } from './present.ts';
import type { RecentChat } from './recent.ts';

/** The two members of a chat, as stored. */
export interface Parties {
  firstId: string;
  secondId: string;
}

type Reader = Pick<Viewer, 'profileId'>;
type Writer = Pick<Viewer, 'profileId' | 'emailVerified' | 'deletesAt' | 'suspendedUntil'>;

/**
 * Whether a chat and its messages are the viewer's. Nobody else learns that it exists, admins included (decisions §2).
 * The statement that stores messages has the same rule.
 */
export const chatCan = {
  read: ({ profileId }: Reader, { firstId, secondId }: Parties): boolean =>
    profileId === firstId || profileId === secondId,
  /** Only who wrote a message takes it back, and only once. */
  unsend: ({ profileId }: Reader, message: { userId: string | null; unsentAt: Date | null }): boolean =>
    message.userId === profileId && message.unsentAt === null,
  /**
   * Whether the other member may learn that the viewer types: only where both can write, by a chat that is not stale.
   * @param now epoch ms.
   */
  type: (viewer: Writer, chat: RecentChat, now: number): boolean =>
    chatCan.read(viewer, chat) &&
    memberRefusal(viewer) === null &&
    (viewer.suspendedUntil === null || viewer.suspendedUntil.getTime() <= now) &&
    chat.awaitsId === null &&
    readOnlyReason(chat, false, now) === null,
} as const;

/** The other of the two members. */
export const otherMember = <Row extends Parties>({ firstId, secondId }: Row, memberId: string): string =>
  memberId === firstId ? secondId : firstId;
