import { type ReactNode, useEffect } from 'react';
import { Button } from './Button.tsx';
import type { ResponsiveDialogProps } from './DialogOrDrawer.tsx';
import { clearAnnouncement, useAnnouncement, useConfirm, useToasts } from './feedback.ts';
import { LazyComponent, lazyModule } from './lazy-component.tsx';

/** Everything `toast()`, `confirm()` and `announce()` need; put once at the root of the app. */
export function Overlays() {
  return (
    <>
      <LiveRegion />
      <Toaster />
      <ConfirmHost />
    </>
  );
}

/** How long an announcement stays; screen readers take it up at once. */
const announcementMs = 5_000;

/** The live region of `announce()`, rendered once at the root. */
export function LiveRegion() {
  const { text, turn } = useAnnouncement();
  useEffect(() => {
    if (turn === 0) return;
    const timer = setTimeout(clearAnnouncement, announcementMs);
    return () => clearTimeout(timer);
  }, [turn]);
  // Screen readers announce changes only: a no-break space makes a repeated text different.
  return (
    <div aria-live="polite" className="sr-only">
      {turn % 2 === 0 ? text : `${text}\u00a0`}
    </div>
  );
}

const toastViewport = lazyModule(() => import('./ToastViewport.tsx'));

/** The viewport stays from the first toast on. */
function Toaster() {
  return (
    <LazyComponent module={toastViewport} isWanted={useToasts(({ queue }) => queue.length > 0)} props={{}} />
  );
}

/** Shows the questions of `confirm()`. */
function ConfirmHost() {
  const { question, isOpen, answer } = useConfirm();
  return (
    question && (
      <ConfirmDialog
        {...question}
        open={isOpen}
        onOpenChange={(open) => !open && answer(false)}
        onConfirm={() => answer(true)}
      />
    )
  );
}

const dialog = lazyModule(() => import('./DialogOrDrawer.tsx'));

/** A dialog from 768 px, a drawer below (§2, §9). Traps focus, gives it back, closes by Esc and outside. */
export function ResponsiveDialog(props: ResponsiveDialogProps) {
  return <LazyComponent module={dialog} isWanted={props.open} props={props} />;
}

interface ConfirmDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  text?: ReactNode;
  confirmLabel: string;
  cancelLabel?: string;
  tone?: 'primary' | 'danger';
  /** The confirmed work is under way: the dialog stays until it is done. */
  pending?: boolean;
  onConfirm: () => void;
  children?: ReactNode;
}

/** Asks before something that cannot be taken back. */
export function ConfirmDialog({
  open,
  onOpenChange,
  title,
  text,
  confirmLabel,
  cancelLabel = 'Cancel',
  tone = 'primary',
  pending,
  onConfirm,
  children,
}: ConfirmDialogProps) {
  return (
    <ResponsiveDialog
      open={open}
      onOpenChange={(next) => !pending && onOpenChange(next)}
      title={title}
      description={text}
      actions={
        <>
          <Button variant="secondary" onClick={() => !pending && onOpenChange(false)}>
            {cancelLabel}
          </Button>
          <Button variant={tone} pending={pending} onClick={onConfirm}>
            {confirmLabel}
          </Button>
        </>
      }
    >
      {children}
    </ResponsiveDialog>
  );
}
