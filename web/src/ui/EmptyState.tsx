import { CloudAlert, type LucideIcon, RotateCw } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from './Button.tsx';
import { cx } from './cx.ts';
import { Icon } from './Icon.tsx';

interface EmptyStateProps {
  icon: LucideIcon;
  /** The words of §8, e.g. 'No Chats'. */
  title: string;
  /** What this place is for. */
  text?: ReactNode;
  /** The next step: a button or a link that looks like one. */
  action?: ReactNode;
  className?: string;
}

/** An empty list: what it is for, and how to start. */
export function EmptyState({ icon: Glyph, title, text, action, className }: EmptyStateProps) {
  return (
    <div className={cx('mx-auto flex max-w-sm flex-col items-center px-4 py-12 text-center', className)}>
      <div className="mb-4 flex size-16 items-center justify-center rounded-full bg-mango-soft text-mango-ink">
        <Glyph size={28} strokeWidth={1.75} aria-hidden="true" />
      </div>
      <p className="text-lg font-semibold first-letter:uppercase">{title}</p>
      {text && <p className="mt-1 text-ink-soft first-letter:uppercase">{text}</p>}
      {action && <div className="mt-5">{action}</div>}
    </div>
  );
}

interface ErrorStateProps {
  title?: string;
  text?: ReactNode;
  /** Repeats what failed. */
  onRetry?: () => void;
  retrying?: boolean;
  /** Another way out, e.g. a link home. */
  action?: ReactNode;
  className?: string;
}

/** An error: what happened and what to do. */
export function ErrorState({
  title = 'Something went wrong.',
  text = 'please try again later',
  onRetry,
  retrying,
  action,
  className,
}: ErrorStateProps) {
  return (
    <div
      role="alert"
      className={cx('mx-auto flex max-w-sm flex-col items-center px-4 py-12 text-center', className)}
    >
      <div className="mb-4 flex size-16 items-center justify-center rounded-full bg-ember-soft text-ember">
        <Icon of={CloudAlert} size={28} />
      </div>
      <p className="text-lg font-semibold first-letter:uppercase">{title}</p>
      {text && <p className="mt-1 text-ink-soft first-letter:uppercase">{text}</p>}
      {(onRetry || action) && (
        <div className="mt-5 flex flex-wrap justify-center gap-3">
          {onRetry && (
            <Button variant="secondary" pending={retrying} icon={<Icon of={RotateCw} />} onClick={onRetry}>
              Try again
            </Button>
          )}
          {action}
        </div>
      )}
    </div>
  );
}
