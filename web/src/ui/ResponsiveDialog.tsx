import type { ReactNode } from 'react';
import { usePart } from './use-part.ts';

export interface ResponsiveDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  description?: ReactNode;
  /** The body; may scroll. */
  children?: ReactNode;
  /** Buttons: the main one last. Below 768 px they stand under one another, the main one on top. */
  actions?: ReactNode;
  size?: 'sm' | 'md' | 'lg';
}

const load = () => import('./DialogOrDrawer.tsx').then(({ DialogOrDrawer }) => DialogOrDrawer);

/** A dialog from 768 px, a drawer below (§2, §9). Traps focus, gives it back, closes by Esc and outside. */
export function ResponsiveDialog(props: ResponsiveDialogProps) {
  const Dialog = usePart(load, props.open);
  return Dialog && <Dialog {...props} />;
}
