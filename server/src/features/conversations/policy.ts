import type { ChatSettings } from '@tara/contract/messages/conversations';
import type { Viewer } from '../../platform/http/viewer.ts';

/** What two members have to do with each other, as of now. */
export interface Relation {
  /** A request between the two was accepted or paid, or the other sent one that is open. */
  hasPlan: boolean;
  /** A request between the two is paid. */
  hasPaid: boolean;
  /** The viewer is in the other's list of friends. */
  isFriend: boolean;
}

type Reader = Pick<Viewer, 'verified'>;

export const conversationCan = {
  /** Whether the viewer may begin a conversation with a member who chose this. */
  begin: (
    { verified }: Reader,
    messagesFrom: ChatSettings['messagesFrom'],
    { hasPlan }: Relation,
  ): boolean => {
    switch (messagesFrom) {
      case 'everyone':
        return true;
      case 'verified':
        return verified;
      case 'plans':
        return hasPlan;
      case 'nobody':
        return false;
    }
  },
} as const;

/** Whether the first message is a request that the other accepts first. */
export const isStranger = ({ hasPlan, isFriend }: Relation): boolean => !hasPlan && !isFriend;
