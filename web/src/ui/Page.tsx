import { clsx } from 'clsx';
import { type LucideIcon, RotateCw } from 'lucide-react';
import { type ComponentProps, type ReactNode, useCallback, useRef, useSyncExternalStore } from 'react';
import { Button } from './Button.tsx';
import { Icon } from './Icon.tsx';
import { Illustration, type IllustrationName } from './Illustration.tsx';
import { countText, useTotal } from './total.ts';

interface PageProps {
  /** The one heading of the screen, and the window's title. */
  title: string;
  /** Under the heading, in a sentence. */
  intro?: ReactNode;
  /** Beside the heading. */
  actions?: ReactNode;
  /** feed 640, chat 760, form 560, grid 1080 px. */
  width?: 'feed' | 'chat' | 'form' | 'grid';
  /** A picture above the heading; on phones from edge to edge, under the header. */
  lead?: ReactNode;
  /** Keeps the heading for screen readers only. */
  hideTitle?: boolean;
  className?: string;
  children: ReactNode;
}
const WIDTHS = { feed: 'max-w-feed', chat: 'max-w-chat', form: 'max-w-form', grid: 'max-w-grid' };

/** The frame of a screen. The shell gives it the `<main>` around it. */
export function Page({
  title,
  intro,
  actions,
  width = 'feed',
  lead,
  hideTitle,
  className,
  children,
}: PageProps) {
  return (
    <div className={clsx('mx-auto w-full px-4 py-5 sm:px-6 sm:py-8', WIDTHS[width], className)}>
      <PageTitle title={title} />
      {lead && <div className="bleed mb-5 max-sm:-mt-5 sm:overflow-hidden sm:rounded-card">{lead}</div>}
      <header
        className={clsx(
          hideTitle ? 'sr-only' : 'mb-5 flex flex-wrap items-center justify-between gap-x-4 gap-y-3 sm:mb-6',
        )}
      >
        <div className="min-w-0">
          <h1 tabIndex={-1} className="text-3xl font-bold tracking-tight wrap-anywhere">
            {title}
          </h1>
          {intro && <p className="mt-1.5 max-w-prose text-ink-soft">{intro}</p>}
        </div>
        {actions && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
      </header>
      {children}
    </div>
  );
}

/** The window's title: `(3) Saved · Tara` while 3 things wait for the member. */
export function PageTitle({ title }: { title: string }) {
  const { total } = useTotal();
  const prefix = total > 0 ? `(${countText(total)}) ` : '';
  return <title>{`${prefix}${title} · Tara`}</title>;
}

interface CardProps extends ComponentProps<'div'> {
  as?: 'div' | 'article' | 'section' | 'li';
  /** Inner space: none for pictures edge to edge. */
  padding?: 'none' | 'sm' | 'md';
  /** Shows that the whole card can be pressed. */
  interactive?: boolean;
}
const PADDING = { none: '', sm: 'p-3', md: 'p-4 sm:p-5' };

/** A box with a border and no shadow. */
export function Card({ as, padding = 'md', interactive, className, ...rest }: CardProps) {
  // One element type for the checker: all four take the same attributes.
  const Element = (as ?? 'div') as 'div';
  return (
    <Element
      {...rest}
      className={clsx(
        'rounded-card border border-line bg-surface',
        PADDING[padding],
        interactive && 'transition-colors hover:border-edge',
        className,
      )}
    />
  );
}

type EmptyStatePicture =
  | { illustration: IllustrationName; icon?: never }
  | { icon: LucideIcon; illustration?: never };

type EmptyStateProps = EmptyStatePicture & {
  /** The words of §8, e.g. 'No Chats'. */
  title: string;
  /** What this place is for. */
  text?: ReactNode;
  /** The next step: a button or a link that looks like one. */
  action?: ReactNode;
  className?: string;
};

/** An empty list: what it is for, and how to start. One of our drawings where it fills the screen, else an icon. */
export function EmptyState({ icon, illustration, action, ...frame }: EmptyStateProps) {
  return (
    <StateFrame
      {...frame}
      art={
        illustration ? (
          <Illustration name={illustration} className="arch size-56" />
        ) : (
          <div className="flex size-16 items-center justify-center rounded-full bg-mango-soft text-mango-ink">
            <Icon of={icon} size={28} />
          </div>
        )
      }
    >
      {action && <div className="mt-5 flex flex-wrap justify-center gap-2">{action}</div>}
    </StateFrame>
  );
}

interface ErrorStateProps {
  title?: string;
  text?: ReactNode;
  /** Repeats what failed. */
  onRetry?: () => void;
  retrying?: boolean;
  className?: string;
}

/** In place of a screen: what happened and what to do. */
export function ErrorState({
  title = 'Something went wrong.',
  text = 'please try again later',
  onRetry,
  retrying,
  className,
}: ErrorStateProps) {
  return (
    <StateFrame
      role="alert"
      title={title}
      text={text}
      className={className}
      art={<Illustration name="moored" className="arch size-56" />}
    >
      {onRetry && (
        <Button
          variant="secondary"
          pending={retrying}
          icon={<Icon of={RotateCw} />}
          onClick={onRetry}
          className="mt-5"
        >
          Try again
        </Button>
      )}
    </StateFrame>
  );
}

interface StateFrameProps {
  role?: 'alert';
  art: ReactNode;
  title: string;
  text?: ReactNode;
  className?: string | undefined;
  children: ReactNode;
}

/** Shown in place of a list or a record: a drawing, the reason, and the next step. */
function StateFrame({ role, art, title, text, className, children }: StateFrameProps) {
  return (
    <div
      role={role}
      className={clsx('mx-auto flex max-w-sm flex-col items-center px-4 py-10 text-center', className)}
    >
      {art}
      <p className="mt-5 text-xl font-bold tracking-tight text-balance first-letter:uppercase">{title}</p>
      {text && <p className="mt-1.5 text-balance text-ink-soft first-letter:uppercase">{text}</p>}
      {children}
    </div>
  );
}

interface SkeletonProps {
  shape?: 'line' | 'circle' | 'box';
  /** Any CSS length; lines default to the full width. */
  width?: number | string;
  height?: number | string;
  className?: string;
}
const SHAPES = { line: 'h-[0.85em] rounded-full my-[0.3em]', circle: 'rounded-full', box: 'rounded-control' };

/** A grey placeholder. Hidden from screen readers; `Skeletons` announces the group. */
export function Skeleton({ shape = 'line', width, height, className }: SkeletonProps) {
  return (
    <div
      aria-hidden="true"
      style={{ width, height: height ?? (shape === 'circle' ? width : undefined) }}
      className={clsx('max-w-full shrink-0 animate-shimmer bg-sunken', SHAPES[shape], className)}
    />
  );
}

/** The skeleton of a face beside two lines, e.g. name and username; inside a row. */
export function PersonSkeleton({
  size = 40,
  widths = ['40%', '25%'],
}: {
  /** Size of the face, in pixels. */
  size?: number;
  widths?: [string, string];
}) {
  return (
    <>
      <Skeleton shape="circle" width={size} />
      <div className="min-w-0 flex-1">
        <Skeleton width={widths[0]} />
        <Skeleton width={widths[1]} />
      </div>
    </>
  );
}

/** `count` copies of a skeleton (the counts of §9), announced once as loading. */
export function Skeletons({
  count,
  label = 'Loading',
  className,
  children,
}: {
  count: number;
  label?: string;
  className?: string;
  children: () => React.ReactNode;
}) {
  return (
    <div role="status" aria-label={label} aria-busy="true" className={className}>
      {Array.from({ length: count }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all the same
        <div key={index} className="contents">
          {children()}
        </div>
      ))}
    </div>
  );
}

/** Whether the media query holds, followed live. */
export function useMediaQuery(query: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const list = window.matchMedia(query);
      list.addEventListener('change', listener);
      return () => list.removeEventListener('change', listener);
    },
    [query],
  );
  return useSyncExternalStore(subscribe, () => window.matchMedia(query).matches);
}

/** §2, §9: a dialog from 768 px, a drawer below; of a larger font size, as the classes `md:`. */
export const WIDE = '(min-width: 48rem)';

/** What has the focus; for an item of a menu, which goes when it was chosen, the button of the menu. */
function focusedControl(): Element | null {
  const focused = document.activeElement;
  const menu = focused?.closest('[role=menu]');
  return menu ? document.getElementById(menu.getAttribute('aria-labelledby') ?? '') : focused;
}

/**
 * Props for a dialog's content that give the focus back to where it was, or to the heading of the screen when that is
 * gone. The library does so only for a trigger of its own; ours are opened by state, from anywhere.
 */
export function useReturnFocus() {
  const before = useRef<Element | null>(null);
  return {
    onOpenAutoFocus: () => {
      before.current = focusedControl();
    },
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault();
      if (before.current instanceof HTMLElement) before.current.focus();
      // Where the screen gave the focus to something else, it stays there.
      const heading = document.querySelector('main h1');
      if (document.activeElement === document.body && heading instanceof HTMLElement)
        heading.focus({ preventScroll: true });
    },
  };
}
