import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { counts } from '@tara/contract/counts';
import {
  groupsFor,
  type NotificationGroup,
  notificationGroupNames,
  notificationGroups,
} from '@tara/contract/notifications/groups';
import { type Notification, notifications } from '@tara/contract/notifications/notifications';
import { channel } from '@tara/contract/wire/realtime';
import { clsx } from 'clsx';
import {
  CalendarHeart,
  CheckCheck,
  ClipboardCheck,
  Heart,
  Landmark,
  type LucideIcon,
  MessageCircle,
  Settings,
  TriangleAlert,
  UserRound,
} from 'lucide-react';
import { type MouseEvent, Suspense, useEffect, useRef } from 'react';
import { afterPause } from '../../lib/after-pause.ts';
import { loadPage } from '../../lib/load-page.ts';
import { invalidate, pagesOf, queryClient, useCall, useLoadedPages } from '../../lib/queries.ts';
import { useRealtime } from '../../lib/realtime.ts';
import { PersonAvatar } from '../../lib/stored-picture.tsx';
import { Button, iconButtonClass } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { PagedList } from '../../ui/InfiniteList.tsx';
import { whenInSight } from '../../ui/in-sight.ts';
import { Page } from '../../ui/Page.tsx';
import { Tabs } from '../../ui/Tabs.tsx';
import { dayLabel, TimeLabel, useNow } from '../../ui/TimeLabel.tsx';
import { useSession } from '../accounts/index.ts';
import { forgetSeen, leaveSeen, noteSeen, useSeen } from './seen.ts';
import { NotificationSkeletons } from './skeletons.tsx';

const route = getRouteApi('/_main/notifications');

const isGroup = (text: string | undefined): text is NotificationGroup =>
  notificationGroupNames.some((name) => name === text);

const listOf = (group: NotificationGroup | undefined) =>
  pagesOf(notifications.list, { query: group === undefined ? {} : { group } });
/** As the page's header has the browser read it. */
const allPages = pagesOf(notifications.list);

const pagesFor = (group: NotificationGroup | undefined) => (group === undefined ? allPages : listOf(group));

/** Loads the first page of the list that the address shows. */
export async function loadNotifications(group: string | undefined): Promise<void> {
  if (isGroup(group)) await queryClient.ensureInfiniteQueryData(listOf(group));
  else await loadPage('/notifications', { notifications });
}

/** Reads the lists again, once for all changes that arrive together. */
const refreshLists = afterPause(() => void invalidate(notifications.list));

const icons: Record<NotificationGroup, LucideIcon> = {
  plans: CalendarHeart,
  money: Landmark,
  messages: MessageCircle,
  posts: Heart,
  account: UserRound,
  work: ClipboardCheck,
  alerts: TriangleAlert,
};

/** `/notifications`: what the member was notified of, newest first, by day; read once it was seen. */
export function NotificationsScreen() {
  const { group } = route.useSearch();
  const navigate = useNavigate();
  const { account } = useSession();
  const chosen = isGroup(group) ? group : undefined;
  useRealtime([channel.notifications], refreshLists, refreshLists);
  useEffect(() => leaveSeen, []);
  const groups = groupsFor({ isAdmin: account.isUserAdmin });
  return (
    <Page
      title="Notifications"
      width="chat"
      actions={
        <>
          <Suspense fallback={null}>
            <MarkAllRead group={chosen} />
          </Suspense>
          <Link
            to="/settings/notifications"
            aria-label="Choose what notifies you"
            title="Choose what notifies you"
            className={iconButtonClass()}
          >
            <Icon of={Settings} />
          </Link>
        </>
      }
    >
      <Tabs
        label="Kinds of notifications"
        value={chosen ?? 'all'}
        onChange={(tab) =>
          void navigate({ to: '/notifications', search: isGroup(tab) ? { group: tab } : {}, replace: true })
        }
        tabs={[
          { value: 'all', label: 'All', content: <NotificationList /> },
          ...groups.map((name) => ({
            value: name,
            label: notificationGroups[name].label,
            content: <NotificationList group={name} />,
          })),
        ].map((tab) => ({
          ...tab,
          content: <Suspense fallback={<NotificationSkeletons />}>{tab.content}</Suspense>,
        }))}
      />
    </Page>
  );
}

/** Marks all of the list as read that is shown; nothing that comes meanwhile. An empty list has no such button. */
function MarkAllRead({ group }: { group: NotificationGroup | undefined }) {
  const markAll = useCall(notifications.markAllRead, {
    invalidates: [notifications.list, counts.own],
    onSuccess: forgetSeen,
  });
  const [newest] = useLoadedPages(pagesFor(group)).items;
  if (newest === undefined) return null;
  const markShown = () => markAll.mutate({ body: { until: newest.createdAt, ...(group && { group }) } });
  return (
    <Button
      variant="secondary"
      icon={<Icon of={CheckCheck} />}
      pending={markAll.isPending}
      onClick={markShown}
    >
      Mark all as read
    </Button>
  );
}

const emptyTexts: Record<NotificationGroup | 'all', string> = {
  all: 'What happens to your requests, plans and posts appears here.',
  plans: 'What happens to your requests and plans appears here.',
  money: 'Payments, payouts and refunds appear here.',
  messages: 'Message requests, and chats that end soon, appear here.',
  posts: 'Likes, comments and reviews appear here.',
  account: 'Your verification, and what concerns the security of your account, appear here.',
  work: 'What waits for admins appears here.',
  alerts: 'What is wrong, such as books that do not add up, appears here.',
};

function NotificationList({ group }: { group?: NotificationGroup }) {
  const list = useLoadedPages(pagesFor(group));
  const now = new Date(useNow());
  return (
    <PagedList
      list={list}
      empty={{
        illustration: 'cat',
        title: 'No notifications',
        text: emptyTexts[group ?? 'all'],
      }}
    >
      {(all) =>
        [...Map.groupBy(all, ({ createdAt }) => dayLabel(createdAt, now))].map(([day, items]) => (
          <section key={day} aria-label={day} className="mb-4">
            <h2 className="mb-1 text-sm font-semibold text-ink-soft">{day}</h2>
            <ul className="-mx-2 flex flex-col gap-0.5">
              {items.map((item) => (
                <NotificationItem key={item.id} item={item} />
              ))}
            </ul>
          </section>
        ))
      }
    </PagedList>
  );
}

/** One notification; a press opens the page that it is about. */
function NotificationItem({ item }: { item: Notification }) {
  const { id, title, text, link, person, group, isRead, createdAt } = item;
  const navigate = useNavigate();
  const wasNew = useSeen(({ ids }) => ids.has(id));
  const isNew = !isRead || wasNew;
  const element = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isRead || !element.current) return;
    return whenInSight(element.current, () => noteSeen(id), { threshold: 0.5 });
  }, [id, isRead]);
  // A path that the server names: the router has no type for it.
  const open = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    void navigate({ href: link });
  };
  return (
    <li ref={element}>
      <a
        href={link}
        onClick={open}
        className="flex min-h-16 items-start gap-3 rounded-card px-2 py-3 transition-colors hover:bg-sunken"
      >
        {person ? (
          <PersonAvatar person={person} />
        ) : (
          <span className="flex size-10 shrink-0 items-center justify-center rounded-full bg-lagoon-soft text-lagoon">
            <Icon of={icons[group]} />
          </span>
        )}
        <span className="min-w-0 flex-1">
          <span className={clsx('block wrap-anywhere', isNew && 'font-semibold')}>
            {isNew && <span className="sr-only">New: </span>}
            {title}
          </span>
          {text !== '' && (
            <span className="mt-0.5 line-clamp-2 text-sm wrap-anywhere text-ink-soft">{text}</span>
          )}
          <TimeLabel iso={createdAt} className="mt-0.5 block text-sm text-ink-soft" />
        </span>
        <span aria-hidden="true" className={clsx('mt-2 size-2.5 shrink-0 rounded-full', isNew && 'bg-ink')} />
      </a>
    </li>
  );
}
