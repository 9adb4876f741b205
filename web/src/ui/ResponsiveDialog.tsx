import type { ResponsiveDialogProps } from './DialogOrDrawer.tsx';
import { LazyComponent, lazyModule } from './lazy-component.tsx';

const dialog = lazyModule(() => import('./DialogOrDrawer.tsx'));

/** A dialog from 768 px, a drawer below (§2, §9). Traps focus, gives it back, closes by Esc and outside. */
export function ResponsiveDialog(props: ResponsiveDialogProps) {
  return <LazyComponent module={dialog} isWanted={props.open} props={props} />;
}
