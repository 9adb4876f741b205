import type { InfiniteData } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { Call } from '@tara/contract/calls';
import { urlAtWidth } from '@tara/contract/files';
import type { Person } from '@tara/contract/members/profiles';
import type { Message, MessagesPage } from '@tara/contract/messages/messages';
import { areYouSure, empty } from '@tara/contract/notices';
import type { PageOf } from '@tara/contract/page';
import { clsx } from 'clsx';
import { ArrowLeft, Info, type LucideIcon } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { invalidate, queryClient, type useLoadedPages } from '../../lib/queries.ts';
import { PersonAvatar } from '../../lib/stored-picture.tsx';
import { Button, buttonClass } from '../../ui/Button.tsx';
import { Checkbox } from '../../ui/Field.tsx';
import { PersonName } from '../../ui/facts.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { InfiniteList } from '../../ui/InfiniteList.tsx';
import { Card, EmptyState, Page, useMediaQuery } from '../../ui/Page.tsx';
import { createSwitch } from '../../ui/stored-switch.ts';
import { exactTime } from '../../ui/TimeLabel.tsx';
import { firstCalls } from '../accounts/index.ts';

type AdminRoute =
  | '/verify-users'
  | '/confirm-plans'
  | '/disputes'
  | '/no-answer'
  | '/chargebacks'
  | '/reports';

interface AdminQueueProps<Item extends { id: string }> {
  route: AdminRoute;
  title: string;
  list: Pick<ReturnType<typeof useLoadedPages<Item, never>>, 'items' | 'more'>;
  icon: LucideIcon;
  /** What the list is for, shown while it is empty. */
  about: string;
  /** Shown beside the list while no row is open. */
  choose: { title: string; text: string };
  row: (item: Item) => ReactNode;
  detail: (item: Item) => ReactNode;
  /** j and k move in the list, a accepts and d declines what is open. */
  hasKeys?: boolean;
  /** Below the list. */
  children?: ReactNode;
}

/** Wide enough for the list and a detail side by side, next to the navigation and the column of extra links. */
const BESIDE_MEDIA_QUERY = '(min-width: 56.25rem)';

/** The work list of an admin: list and detail side by side on wide screens, one at a time on others. No row opens automatically:
 * each view of identity pictures is recorded, and a double click must never hit the next person's buttons.
 */
export function AdminQueue<Item extends { id: string }>(props: AdminQueueProps<Item>) {
  const { route, title, list, icon, about, choose, row, detail, hasKeys = false, children } = props;
  const beside = useMediaQuery(BESIDE_MEDIA_QUERY);
  // The id of the row whose detail is shown.
  const { open } = useSearch({ from: `/_main/_admin${route}` });
  const openItem = list.items.find(({ id }) => id === open);
  const details = useRef<HTMLElement>(null);
  const openItemId = openItem?.id;
  const previousId = useRef(openItemId);
  // The pressed button may be removed: move the focus to the heading of what is shown now.
  useEffect(() => {
    if (previousId.current === openItemId) return;
    previousId.current = openItemId;
    const heading = openItemId ? details.current?.querySelector('h2') : document.querySelector('main h1');
    if (heading instanceof HTMLElement) heading.focus({ preventScroll: beside });
  }, [openItemId, beside]);

  const keys = useQueueKeys(hasKeys);
  const isEmpty = list.items.length === 0 && !list.more.hasMore;
  const rows = <Rows route={route} list={list} open={openItemId} row={row} />;
  const openDetail = openItem && (
    <section ref={details} aria-label="Details" key={openItemId}>
      {detail(openItem)}
    </section>
  );
  return (
    <Page title={title} width="grid">
      {isEmpty && <EmptyState icon={icon} title={empty.adminList} text={about} />}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the links and buttons inside have the focus */}
      <div onKeyDown={keys.press}>
        {/* One structure for every width: a form in the detail stays when the device is turned. */}
        {!isEmpty && (
          <div className={clsx(beside && 'grid grid-cols-[minmax(0,5fr)_minmax(0,8fr)] items-start gap-5')}>
            {(beside || !openDetail) && <div className="min-w-0">{rows}</div>}
            {(beside || openDetail) && (
              <div className={clsx(beside && 'sticky top-5')}>
                {!beside && <BackToList route={route} />}
                {openDetail ?? (
                  <Card>
                    <EmptyState icon={icon} {...choose} />
                  </Card>
                )}
              </div>
            )}
          </div>
        )}
      </div>
      {!isEmpty && hasKeys && (
        <Checkbox
          label="Use keys in this list"
          hint="j and k move, a accepts, d declines; both ask first."
          checked={keys.isOn}
          onChange={({ target }) => queueKeys.turn(target.checked)}
          className="mt-4 coarse:hidden"
        />
      )}
      {children}
    </Page>
  );
}

const queueKeys = createSwitch('tara-admin-keys');

/** The keys of a list: only while the list, or what is open of it, has the focus, and unless they are switched off. */
function useQueueKeys(hasKeys: boolean) {
  const isOn = queueKeys.useIsOn();
  const press = (event: KeyboardEvent<HTMLElement>) => {
    const { key, target, currentTarget: queue } = event;
    if (!hasKeys || !isOn || event.repeat || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey)
      return;
    // Not in a dialog that was opened here.
    if (!(target instanceof Element) || !queue.contains(target)) return;
    if (key === 'j' || key === 'k') {
      const rows = [...queue.querySelectorAll<HTMLElement>('[data-queue] a')];
      const focused = rows.findIndex((row) => row.matches(':focus'));
      // From the detail on, the next one is beside the row that is open.
      const index = focused < 0 ? rows.findIndex((row) => row.hasAttribute('aria-current')) : focused;
      rows[key === 'j' ? index + 1 : index - 1]?.focus();
    } else if (key === 'a' || key === 'd') {
      const button = queue.querySelector<HTMLElement>(`[aria-keyshortcuts=${key}]`);
      button?.focus();
      button?.click();
    }
  };
  return { isOn, press };
}

const BackToList = ({ route }: { route: AdminRoute }) => (
  <Link to={route} className={`${buttonClass({ variant: 'ghost' })} mb-3 -ml-4`}>
    <Icon of={ArrowLeft} />
    Back to the list
  </Link>
);

type RowsProps<Item extends { id: string }> = Pick<AdminQueueProps<Item>, 'route' | 'list' | 'row'> & {
  open: string | undefined;
};

/** The waiting rows, oldest first; the next page is fetched before the end is reached. */
function Rows<Item extends { id: string }>({ route, list, open, row }: RowsProps<Item>) {
  return (
    <InfiniteList {...list.more}>
      <ul
        aria-label="Waiting"
        data-queue
        className="divide-y divide-line overflow-hidden rounded-card border border-line bg-surface empty:hidden"
      >
        {list.items.map((item) => (
          <li key={item.id}>
            <Link
              to={route}
              search={{ open: item.id }}
              preload={false}
              resetScroll={false}
              aria-current={item.id === open ? 'true' : undefined}
              className={clsx(
                'flex min-h-16 items-center gap-3 px-4 py-3 transition-colors -outline-offset-2!',
                item.id === open ? 'bg-ink/8' : 'hover:bg-sunken',
              )}
            >
              {row(item)}
            </Link>
          </li>
        ))}
      </ul>
    </InfiniteList>
  );
}

/** Ends the question before a decision. */
export const irreversible = `${areYouSure.fulfilPlan.text}.`;

/**
 * Removes a processed row from an admin's list, also after a failure (§4, §8); a refetch of the list corrects it. The
 * navigation counts again.
 */
export function removeFromList(list: Call, id: string): void {
  void invalidate(firstCalls.workCounts);
  queryClient.setQueriesData<InfiniteData<PageOf<{ id: string }>>>(
    { queryKey: [...list.key, { pages: true }] },
    (data) =>
      data && {
        ...data,
        pages: data.pages.map((page) => ({ ...page, items: page.items.filter((item) => item.id !== id) })),
      },
  );
}

/** Removes a processed row, and closes its detail. */
export function useLeave(route: AdminRoute, list: Call, id: string): () => void {
  const navigate = useNavigate();
  return () => {
    removeFromList(list, id);
    void navigate({ to: route, replace: true });
  };
}

/** A member as a line: face, name and handle, linked to the profile. */
export function PersonLine({ person, part, heading }: { person: Person; part?: string; heading?: boolean }) {
  const Name = heading ? 'h2' : 'p';
  return (
    <div className="flex min-w-0 items-center gap-3">
      <PersonAvatar person={person} size={heading ? 'lg' : 'md'} />
      <div className="min-w-0">
        {part && <p className="text-sm text-ink-soft">{part}</p>}
        <Name tabIndex={heading ? -1 : undefined} className={heading ? 'text-lg font-bold' : 'font-semibold'}>
          <Link
            to="/profile/$id"
            params={{ id: person.id }}
            className="inline-flex max-w-full hover:underline"
          >
            <PersonName person={person} size={18} />
          </Link>
        </Name>
        <p className="truncate text-sm text-ink-soft">@{person.username}</p>
      </div>
    </div>
  );
}

/** Shown instead of the buttons: why this admin cannot decide about the record. */
export function UndecidableNote({ reason }: { reason: string }) {
  return (
    <p className="flex items-start gap-2 rounded-control bg-sunken p-3 text-ink-soft">
      <Icon of={Info} className="mt-0.5 shrink-0" />
      {reason}
    </p>
  );
}

interface AuditedPlanChatProps {
  /** Reads the newest messages, or those before a sequence. */
  read: (where: { before?: number }, onSuccess: (page: MessagesPage) => void) => void;
  isPending: boolean;
  /** The message that was reported. */
  reportedId?: string;
}

/** The plan chat of a dispute, of a request without an answer, or of a report: opened only by a press, since each look is audited. */
export function AuditedPlanChat({ read, isPending, reportedId }: AuditedPlanChatProps) {
  const [shown, setShown] = useState<MessagesPage | null>(null);
  const list = useRef<HTMLOListElement>(null);
  const isOpen = shown !== null;
  // It begins at the reported message, else at the newest one, as chats do.
  useLayoutEffect(() => {
    if (!isOpen || !list.current) return;
    const { current: box } = list;
    const reported = box.querySelector<HTMLElement>('[aria-current]');
    box.scrollTop = reported ? reported.offsetTop - box.clientHeight / 2 : box.scrollHeight;
  }, [isOpen]);
  const oldest = shown?.items[0];
  const readOlder = () =>
    read(oldest ? { before: oldest.sequence } : {}, ({ items, hasMore }) =>
      setShown((now) => ({ items: [...items.toReversed(), ...(now?.items ?? [])], hasMore })),
    );
  return (
    <section aria-label="The plan chat" className="flex flex-col items-start gap-2">
      {shown === null && (
        <p className="text-sm text-ink-soft">Looking into the plan chat is written to the audit log.</p>
      )}
      {(shown === null || shown.hasMore) && (
        <Button variant="secondary" size="sm" pending={isPending} onClick={readOlder}>
          {shown === null ? 'Open the plan chat' : 'Show older messages'}
        </Button>
      )}
      {shown !== null && (
        <ol
          ref={list}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by the keyboard
          tabIndex={0}
          className="relative max-h-96 w-full overflow-y-auto rounded-card bg-sunken p-4"
          aria-label="Messages"
        >
          {shown.items.length === 0 && <li className="text-ink-soft">Nothing was written.</li>}
          {shown.items.map((message) => (
            <MessageLine key={message.id} message={message} isReported={message.id === reportedId} />
          ))}
        </ol>
      )}
    </section>
  );
}

function MessageLine({ message, isReported }: { message: Message; isReported: boolean }) {
  const { name, body, picture, createdAt } = message;
  return (
    <li
      aria-current={isReported ? 'true' : undefined}
      className={isReported ? 'my-1.5 -ml-3 border-l-4 border-ember pl-2' : 'py-1.5'}
    >
      <p className="flex flex-wrap justify-between gap-x-3 text-sm text-ink-soft">
        <span className="font-semibold wrap-anywhere">{name}</span>
        <time dateTime={createdAt}>{exactTime(createdAt)}</time>
      </p>
      {picture && (
        <img
          src={urlAtWidth(picture.imageUrl, 320)}
          alt={picture.alt || `Picture of ${name}`}
          className="my-1 h-40 rounded-control object-contain"
        />
      )}
      <p className="wrap-anywhere whitespace-pre-line">{body}</p>
      {isReported && <p className="text-sm font-semibold">This message was reported.</p>}
    </li>
  );
}
