import { skeletons } from '@tara/contract/limits';
import { Page, PersonSkeleton, Skeleton, Skeletons } from '../../ui/Page.tsx';
import { ChatSkeleton } from '../messages/skeletons.tsx';

/** The skeleton of the screen. */
export function ConversationsSkeleton() {
  return (
    <Page title="Messages" width="chat" actions={<Skeleton shape="box" width={128} height={44} />}>
      <Skeleton shape="box" height={44} className="mb-4" />
      <ItemSkeletons />
    </Page>
  );
}

export const ItemSkeletons = () => (
  <Skeletons count={skeletons.chatList} label="Loading chats" className="flex flex-col gap-0.5">
    {() => (
      <div className="flex h-20 items-center gap-3">
        <PersonSkeleton size={56} widths={['40%', '75%']} />
      </div>
    )}
  </Skeletons>
);

/** The skeleton of a conversation. */
export const ConversationSkeleton = () => <ChatSkeleton title="Conversation" />;
