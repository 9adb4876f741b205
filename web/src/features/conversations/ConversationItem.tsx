import { Link } from '@tanstack/react-router';
import { type ConversationRow, conversations } from '@tara/contract/conversations';
import { urlAtWidth } from '@tara/contract/files';
import { empty, picturePreview } from '@tara/contract/notices';
import { Check, Ellipsis, Trash2, X } from 'lucide-react';
import { useCall } from '../../lib/queries.ts';
import { Badge, CountBadge } from '../../ui/Badge.tsx';
import { IconButton } from '../../ui/Button.tsx';
import { cx } from '../../ui/cx.ts';
import { PersonName } from '../../ui/facts.tsx';
import { announce, confirm, toast } from '../../ui/feedback.ts';
import { Icon } from '../../ui/Icon.tsx';
import { Menu } from '../../ui/lazy-overlays.tsx';
import { Avatar } from '../../ui/Picture.tsx';
import { TimeLabel } from '../../ui/TimeLabel.tsx';
import { useSession } from '../accounts/index.ts';
import { markRowRead, removeRow } from './conversation-cache.ts';
import { conversationLink } from './conversation-link.ts';
import { refreshUnread } from './unread.ts';

interface ConversationItemProps {
  row: ConversationRow;
  /** Shows the notice of an expired conversation. */
  onExpired: () => void;
}

const pressClass = 'flex min-h-20 min-w-0 flex-1 items-center gap-3 rounded-card py-2 pr-1 pl-2 text-left';

/** One chat of the list; a press opens it, or shows that it expired (§4). */
export function ConversationItem({ row, onExpired }: ConversationItemProps) {
  const { account } = useSession();
  return (
    <li className="flex items-center gap-1 rounded-card pr-1 transition-colors hover:bg-sunken">
      {row.expired ? (
        <button type="button" onClick={onExpired} className={pressClass}>
          <ItemContent row={row} />
        </button>
      ) : (
        <Link
          {...conversationLink(row, account.id)}
          // The chat marks it as read; back in the list it is so at once.
          onClick={() => markRowRead(row.id)}
          className={pressClass}
        >
          <ItemContent row={row} />
        </Link>
      )}
      <ItemMenu row={row} />
    </li>
  );
}

function ItemContent({ row }: { row: ConversationRow }) {
  const { person, preview, previewOwn, unread, expired, updatedAt } = row;
  return (
    <>
      <Avatar name={person.name} src={urlAtWidth(person.picture.imageUrl, 96)} size="lg" />
      <span className="min-w-0 flex-1">
        <span className="flex items-center justify-between gap-3">
          <PersonName person={person} className="font-semibold" />
          <TimeLabel iso={updatedAt} className="text-sm text-ink-soft" />
        </span>
        <span className="mt-0.5 flex min-h-6 items-center justify-between gap-3">
          {expired ? (
            <span className="flex min-w-0 items-center gap-2">
              <Badge tone="mango">expired</Badge>
              <span className="truncate text-sm font-medium text-lagoon">visit my plans!</span>
            </span>
          ) : (
            <span className={cx('flex min-w-0', unread > 0 ? 'font-semibold text-ink' : 'text-ink-soft')}>
              {previewOwn && preview !== '' && <span className="shrink-0 whitespace-pre">You: </span>}
              {/* Not as wide as the row: text from right to left stays beside the name. */}
              <span dir="auto" className="min-w-0 truncate">
                {preview === picturePreview ? 'Photo' : preview || empty.messages}
              </span>
            </span>
          )}
          <CountBadge count={unread} label="unread" className="shrink-0" />
        </span>
      </span>
    </>
  );
}

/** What can be done with a chat, or with a request. */
function ItemMenu({ row: { id, person, request } }: Pick<ConversationItemProps, 'row'>) {
  const invalidates = [conversations.list];
  const remove = useCall(conversations.deleteChat, {
    onSuccess: () => {
      removeRow(id);
      refreshUnread();
      toast({ title: 'The chat was deleted.', tone: 'success' });
    },
  });
  const answer = useCall(conversations.answerRequest, {
    invalidates,
    onSuccess: (_, { body }) => {
      removeRow(id);
      refreshUnread();
      announce(body.answer === 'accept' ? `You accepted ${person.name}.` : `You ignored ${person.name}.`);
    },
  });
  const askToDelete = async () => {
    const isConfirmed = await confirm({
      title: `Delete the chat with ${person.name}?`,
      text: `It leaves your list until one of you writes again. It stays in the list of ${person.name}, who is not told.`,
      confirmLabel: 'Delete chat',
      tone: 'danger',
    });
    if (isConfirmed) remove.mutate({ body: { convoId: id } });
  };
  const answerWith = (choice: 'accept' | 'ignore') => () =>
    answer.mutate({ body: { convoId: id, answer: choice } });
  return (
    <Menu
      label={`Chat with ${person.name}`}
      trigger={
        <IconButton label={`More about the chat with ${person.name}`} quiet>
          <Icon of={Ellipsis} />
        </IconButton>
      }
      items={
        request === 'received'
          ? [
              { label: 'Accept', icon: Check, onSelect: answerWith('accept') },
              { label: 'Ignore', icon: X, onSelect: answerWith('ignore') },
            ]
          : [{ label: 'Delete chat', icon: Trash2, tone: 'danger', onSelect: () => void askToDelete() }]
      }
    />
  );
}
