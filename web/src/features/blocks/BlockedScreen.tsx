import { Link } from '@tanstack/react-router';
import { maxPagesPerCall } from '@tara/contract/limits';
import { blocks } from '@tara/contract/members/blocks';
import { conversations } from '@tara/contract/messages/conversations';
import { ArrowLeft, Ban, VolumeX } from 'lucide-react';
import { type ComponentProps, type ReactNode, Suspense, useState } from 'react';
import { call, showErrorToast } from '../../lib/call.ts';
import { pagesOf, useLoadedPages } from '../../lib/queries.ts';
import { PersonAvatar } from '../../lib/stored-picture.tsx';
import { Button, buttonClass } from '../../ui/Button.tsx';
import { PersonName } from '../../ui/facts.tsx';
import { toast } from '../../ui/feedback.ts';
import { Icon } from '../../ui/Icon.tsx';
import { PagedList } from '../../ui/InfiniteList.tsx';
import { Card, Page } from '../../ui/Page.tsx';
import { TimeLabel } from '../../ui/TimeLabel.tsx';
import { useSession } from '../accounts/index.ts';
import { conversationLink } from '../conversations/index.ts';
import { changeVisibility } from './change-visibility.ts';
import { ReportDialog } from './lazy-report-dialog.ts';
import type { ReportTarget } from './ReportDialog.tsx';

const blockedPages = pagesOf(blocks.blocked);
const mutedPages = pagesOf(blocks.muted);

/** `/settings/blocked`: whom the viewer blocked and muted, and the way to end that. */
export function BlockedScreen() {
  const blocked = useLoadedPages(blockedPages);
  const muted = useLoadedPages(mutedPages);
  return (
    <Page title="Blocked people" width="feed">
      <div className="flex flex-col gap-8">
        <Link
          to="/settings"
          className="touch -mt-2 flex items-center gap-2 self-start font-semibold text-ink-soft hover:text-ink"
        >
          <Icon of={ArrowLeft} size={18} />
          Settings
        </Link>
        <Group
          title="Blocked"
          text="You and they do not see each other anywhere in Tara."
          list={blocked}
          empty={{
            icon: Ban,
            title: 'You blocked nobody.',
            text: 'To block a member, open the … menu of their profile.',
          }}
          row={(member) => (
            <Row
              key={member.id}
              name={member.name}
              note={<TimeLabel iso={member.blockedAt} />}
              action="Unblock"
              onPress={() => changeVisibility('unblock', member)}
            >
              {member.mixId !== null && <BlockedChat name={member.name} mixId={member.mixId} />}
            </Row>
          )}
        />
        <Group
          title="Muted"
          text="You do not see their posts, comments and reviews. They are not notified."
          list={muted}
          empty={{ icon: VolumeX, title: 'You muted nobody.' }}
          row={(member) => (
            <Row
              key={member.id}
              name={member.name}
              link={
                <Link
                  to="/profile/$id"
                  params={{ id: member.id }}
                  className="flex min-w-0 items-center gap-1.5 hover:underline"
                >
                  <PersonName person={member} />
                </Link>
              }
              note={`@${member.username}`}
              picture={<PersonAvatar person={member} />}
              action="Unmute"
              onPress={() => changeVisibility('unmute', member)}
            />
          )}
        />
      </div>
    </Page>
  );
}

interface GroupProps<Item> extends Pick<ComponentProps<typeof PagedList<Item>>, 'list' | 'empty'> {
  title: string;
  text: string;
  row: (item: Item) => ReactNode;
}

function Group<Item>({ title, text, list, empty, row }: GroupProps<Item>) {
  return (
    <section aria-label={title}>
      <h2 className="px-1 text-lg font-semibold">{title}</h2>
      <p className="mb-3 px-1 text-ink-soft">{text}</p>
      <Card padding="none">
        <PagedList list={list} empty={empty}>
          {(members) => <ul className="divide-y divide-line">{members.map(row)}</ul>}
        </PagedList>
      </Card>
    </section>
  );
}

interface RowProps {
  name: string;
  /** The name, as it leads to the profile. */
  link?: ReactNode;
  note: ReactNode;
  picture?: ReactNode;
  action: string;
  onPress: () => Promise<void>;
  /** Below, over the whole width. */
  children?: ReactNode;
}

function Row({ name, link, note, picture, action, onPress, children }: RowProps) {
  return (
    <li className="flex min-h-16 flex-wrap items-center gap-3 px-4 py-3 sm:px-5">
      {picture}
      <div className="min-w-0 flex-1">
        <div className="truncate font-semibold">{link ?? name}</div>
        <p className="truncate text-sm text-ink-soft">{note}</p>
      </div>
      <Button
        variant="secondary"
        size="sm"
        className="shrink-0"
        aria-label={`${action} ${name}`}
        onClick={() => void onPress()}
      >
        {action}
      </Button>
      {children}
    </li>
  );
}

interface BlockedChatProps {
  /** Name of the blocked member. */
  name: string;
  /** Pair key of the chat with them. */
  mixId: string;
}

/** What remains of the chat with a blocked member: it can be read and reported, as evidence. */
export function BlockedChat({ name, mixId }: BlockedChatProps) {
  const { account, profile } = useSession();
  const [isLooking, setIsLooking] = useState(false);
  const [target, setTarget] = useState<ReportTarget | null>(null);

  /** The newest message of the member; the report copies those before it as well. */
  const findNewest = async (): Promise<ReportTarget | undefined> => {
    const { conversation, messages } = await call(conversations.conversation, {
      params: { mixId },
      query: { pages: maxPagesPerCall },
    });
    const [newest] = messages.items
      .filter(({ userId, admin, unsent }) => userId !== profile.id && !admin && !unsent)
      .toSorted((one, other) => other.sequence - one.sequence);
    return newest && { kind: 'message', recordId: newest.id, chatId: conversation.id };
  };
  const report = async () => {
    setIsLooking(true);
    try {
      const newest = await findNewest();
      if (newest) setTarget(newest);
      else toast({ title: `There are no messages of ${name} to report.` });
    } catch (error) {
      showErrorToast(error);
    }
    setIsLooking(false);
  };
  return (
    <div className="flex w-full flex-wrap gap-2">
      <Link
        {...conversationLink({ mixId }, account.id)}
        aria-label={`Read the chat with ${name}`}
        className={buttonClass({ variant: 'secondary', size: 'sm' })}
      >
        Read the chat
      </Link>
      <Button
        variant="ghost"
        size="sm"
        pending={isLooking}
        aria-label={`Report these messages of ${name}`}
        onClick={() => void report()}
      >
        Report these messages
      </Button>
      {target && (
        <Suspense>
          <ReportDialog what={`the messages of ${name}`} target={target} onClose={() => setTarget(null)} />
        </Suspense>
      )}
    </div>
  );
}
