import type { ReactNode } from 'react';
import { Button } from './Button.tsx';
import type { ResponsiveDialogProps } from './DialogOrDrawer.tsx';
import { LazyComponent, lazyModule } from './lazy-component.tsx';

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
  pendingLabel?: string;
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
  pendingLabel,
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
          <Button variant={tone} pending={pending} pendingLabel={pendingLabel} onClick={onConfirm}>
            {confirmLabel}
          </Button>
        </>
      }
    >
      {children}
    </ResponsiveDialog>
  );
}
