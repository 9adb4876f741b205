import { createFileRoute } from '@tanstack/react-router';
import { ConversationsScreen } from '../../features/conversations/ConversationsScreen.tsx';

export const Route = createFileRoute('/_main/chats/')({ component: ConversationsScreen });
