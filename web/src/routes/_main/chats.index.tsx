import { createFileRoute } from '@tanstack/react-router';
import { ChatsScreen } from '../../features/chats/ChatsScreen.tsx';

export const Route = createFileRoute('/_main/chats/')({ component: ChatsScreen });
