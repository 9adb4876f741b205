import { ChatSkeleton } from '../messages/skeletons.tsx';

/** The skeleton of a plan chat. */
export const ReceiptSkeleton = () => <ChatSkeleton title="Plan chat" hasCard />;
