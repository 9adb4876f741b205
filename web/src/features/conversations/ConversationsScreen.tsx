import { Link } from '@tanstack/react-router';
import { MessageCircle } from 'lucide-react';
import { buttonClass } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Page } from '../../ui/Page.tsx';

export function ConversationsScreen() {
  return (
    <Page title="Messages" width="chat">
      <EmptyState
        icon={MessageCircle}
        title="No Chats"
        text="Your conversations with friends appear here. Chats about a plan are in the Plan Manager."
        action={
          <Link to="/manage-plans" className={buttonClass({ variant: 'secondary' })}>
            Go to Plan Manager
          </Link>
        }
      />
    </Page>
  );
}
