import { useConfirm } from './confirm.ts';
import { LiveRegion } from './LiveRegion.tsx';
import { LazyComponent, lazyModule } from './lazy-component.tsx';
import { ConfirmDialog } from './ResponsiveDialog.tsx';
import { useToasts } from './toast.ts';

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

const toastStage = lazyModule(() => import('./ToastStage.tsx'));

/** The stage stays from the first toast on. */
function Toaster() {
  return (
    <LazyComponent module={toastStage} isWanted={useToasts(({ queue }) => queue.length > 0)} props={{}} />
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
