import type { ReactNode } from 'react';
import { cx } from './cx.ts';
import { PageTitle } from './PageTitle.tsx';

interface PageProps {
  /** The one heading of the screen, and the window's title. */
  title: string;
  /** Under the heading, in a sentence. */
  intro?: ReactNode;
  /** Beside the heading. */
  actions?: ReactNode;
  /** feed 640, chat 760, form 560, grid 1080 px. */
  width?: 'feed' | 'chat' | 'form' | 'grid';
  /** Keeps the heading for screen readers only. */
  hideTitle?: boolean;
  className?: string;
  children: ReactNode;
}
const WIDTHS = { feed: 'max-w-feed', chat: 'max-w-chat', form: 'max-w-form', grid: 'max-w-grid' };

/** The frame of a screen. The shell gives it the `<main>` it stands in. */
export function Page({ title, intro, actions, width = 'feed', hideTitle, className, children }: PageProps) {
  return (
    <div className={cx('mx-auto w-full px-4 py-5 sm:px-6 sm:py-8', WIDTHS[width], className)}>
      <PageTitle title={title} />
      <header
        className={cx(
          hideTitle ? 'sr-only' : 'mb-5 flex flex-wrap items-center justify-between gap-x-4 gap-y-3 sm:mb-6',
        )}
      >
        <div className="min-w-0">
          <h1 tabIndex={-1} className="text-2xl font-bold tracking-tight">
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
