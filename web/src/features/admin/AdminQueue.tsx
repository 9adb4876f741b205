import { Link } from '@tanstack/react-router';
import { type DatedStep, datedSteps } from '@tara/contract/confirmations';
import { urlAtWidth } from '@tara/contract/files';
import { empty } from '@tara/contract/notices';
import type { Person } from '@tara/contract/profiles';
import { ArrowLeft, Info, type LucideIcon } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import type { useLoadedPages } from '../../lib/queries.ts';
import { buttonClass } from '../../ui/Button.tsx';
import { cx } from '../../ui/cx.ts';
import { PersonName } from '../../ui/facts.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { InfiniteList } from '../../ui/InfiniteList.tsx';
import { Card, EmptyState, Page, Skeleton, Skeletons } from '../../ui/Page.tsx';
import { Avatar } from '../../ui/Picture.tsx';
import { exactTime } from '../../ui/TimeLabel.tsx';
import { useMediaQuery } from '../../ui/use-media-query.ts';

type AdminRoute =
  | '/verify-users'
  | '/confirm-plans'
  | '/disputes'
  | '/no-answer'
  | '/chargebacks'
  | '/reports';

interface AdminQueueProps<Item extends { id: string }> {
  route: AdminRoute;
  list: Pick<ReturnType<typeof useLoadedPages<Item, never>>, 'items' | 'more'>;
  /** The id of the row whose detail is shown: the search param `open`. */
  open: string | undefined;
  icon: LucideIcon;
  /** What the list is for, shown while it is empty. */
  about: string;
  /** Shown beside the list while no row is open. */
  choose: { title: string; text: string };
  row: (item: Item) => ReactNode;
  detail: (item: Item) => ReactNode;
}

/** Wide enough for the list and a detail side by side, next to the navigation and the column of extra links. */
const BESIDE_MEDIA_QUERY = '(min-width: 900px)';

/** The work list of an admin: list and detail side by side on wide screens, one at a time on others. No row opens automatically:
 * each view of identity pictures is recorded, and a double click must never hit the next person's buttons.
 */
export function AdminQueue<Item extends { id: string }>({
  route,
  list: { items, more },
  open,
  icon,
  about,
  choose,
  row,
  detail,
}: AdminQueueProps<Item>) {
  const beside = useMediaQuery(BESIDE_MEDIA_QUERY);
  const openItem = items.find(({ id }) => id === open);
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

  if (items.length === 0 && !more.hasMore) {
    return <EmptyState icon={icon} title={empty.adminList} text={about} />;
  }
  const rows = <QueueList route={route} more={more} items={items} open={openItemId} row={row} />;
  const openDetail = openItem && (
    <section ref={details} aria-label="Details" key={openItemId}>
      {detail(openItem)}
    </section>
  );
  if (!beside) {
    return openDetail ? (
      <>
        <Link to={route} className={`${buttonClass({ variant: 'ghost' })} mb-3 -ml-4`}>
          <Icon of={ArrowLeft} />
          Back to the list
        </Link>
        {openDetail}
      </>
    ) : (
      rows
    );
  }
  return (
    <div className="grid grid-cols-[minmax(0,5fr)_minmax(0,8fr)] items-start gap-5">
      <div className="min-w-0">{rows}</div>
      <div className="sticky top-5">
        {openDetail ?? (
          <Card>
            <EmptyState icon={icon} {...choose} />
          </Card>
        )}
      </div>
    </div>
  );
}

interface QueueListProps<Item extends { id: string }> {
  route: AdminRoute;
  more: AdminQueueProps<Item>['list']['more'];
  items: Item[];
  open: string | undefined;
  row: (item: Item) => ReactNode;
}

/** The waiting rows, oldest first; the next page is fetched before the end is reached. */
function QueueList<Item extends { id: string }>({ route, more, items, open, row }: QueueListProps<Item>) {
  return (
    <InfiniteList {...more}>
      <ul
        aria-label="Waiting"
        className="divide-y divide-line overflow-hidden rounded-card border border-line bg-surface empty:hidden"
      >
        {items.map((item) => (
          <li key={item.id}>
            <Link
              to={route}
              search={{ open: item.id }}
              preload={false}
              resetScroll={false}
              aria-current={item.id === open ? 'true' : undefined}
              className={cx(
                'flex min-h-16 items-center gap-3 px-4 py-3 transition-colors -outline-offset-2!',
                item.id === open ? 'bg-guava-soft' : 'hover:bg-sunken',
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

/** The skeleton of a work list, with as many rows as fit a screen. */
export function AdminQueueSkeleton({ title }: { title: string }) {
  return (
    <Page title={title} width="grid" className="min-[900px]:[&>[role=status]]:w-5/13">
      <Skeletons
        count={8}
        label="Loading the list"
        className="divide-y divide-line overflow-hidden rounded-card border border-line bg-surface"
      >
        {() => (
          <div className="flex min-h-16 items-center gap-3 px-4 py-3">
            <Skeleton shape="circle" width={40} />
            <div className="min-w-0 flex-1">
              <Skeleton width="60%" />
              <Skeleton width="85%" />
            </div>
          </div>
        )}
      </Skeletons>
    </Page>
  );
}

/** A member as a line: face, name and handle, linked to the profile. */
export function PersonLine({ person, part, heading }: { person: Person; part?: string; heading?: boolean }) {
  const Name = heading ? 'h2' : 'p';
  return (
    <div className="flex min-w-0 items-center gap-3">
      <Avatar name={person.name} src={urlAtWidth(person.picture.imageUrl, 96)} size={heading ? 'lg' : 'md'} />
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

const manila = { dateStyle: 'full', timeZone: 'Asia/Manila' } as const;

/** Steps that name a day to meet, which the parties read in Philippine time; one that nobody agreed to has no hour. */
const plannedSteps: Partial<Record<DatedStep['step'], Intl.DateTimeFormat>> = {
  day: new Intl.DateTimeFormat('en-GB', { ...manila, timeStyle: 'short' }),
  dayWithoutAgreement: new Intl.DateTimeFormat('en-GB', manila),
};

function stepTime({ step, at }: DatedStep): string {
  const planned = plannedSteps[step];
  return planned ? `${planned.format(new Date(at))} (Philippine time)` : exactTime(at);
}

/** What happened to a request when: the dated steps of both sides. */
export function StepList({ steps }: { steps: readonly DatedStep[] }) {
  return (
    <section aria-label="What happened when">
      <h3 className="font-semibold">What happened when</h3>
      <ol className="mt-1">
        {steps.map((dated) => (
          <li key={dated.step} className="py-1">
            <span className="block">{datedSteps[dated.step]}</span>
            <time dateTime={dated.at} className="figures text-ink-soft">
              {stepTime(dated)}
            </time>
          </li>
        ))}
      </ol>
    </section>
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
