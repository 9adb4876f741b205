import { CircleAlert, CircleCheck, Info, X } from 'lucide-react';
import { Toast } from 'radix-ui';
import { useLayoutEffect, useRef, useState } from 'react';
import { IconButton } from './Button.tsx';
import {
  dismissToast,
  type QueuedToast,
  shownToast,
  TOAST_DURATION_MS,
  TOAST_SWIPE_PX,
  useToasts,
} from './feedback.ts';
import { Icon } from './Icon.tsx';

const TONES = {
  info: { icon: Info, color: 'text-lagoon' },
  success: { icon: CircleCheck, color: 'text-leaf' },
  danger: { icon: CircleAlert, color: 'text-ember' },
};
const EXIT_MS = 160;

function ToastItem({ toast }: { toast: QueuedToast }) {
  const [open, setOpen] = useState(true);
  const tone = TONES[toast.tone ?? 'info'];
  const handleOpenChange = (next: boolean) => {
    setOpen(next);
    // Removed from the queue after its exit animation.
    if (!next) setTimeout(() => dismissToast(toast.id), EXIT_MS);
  };
  return (
    <Toast.Root
      open={open}
      onOpenChange={handleOpenChange}
      duration={toast.durationMs ?? TOAST_DURATION_MS}
      type={toast.tone === 'danger' ? 'foreground' : 'background'}
      className="flex items-start gap-3 rounded-card border border-line bg-raised p-3 pl-4 text-ink shadow-lift data-[state=closed]:animate-fade-out data-[state=open]:animate-rise data-[swipe=cancel]:translate-x-0 data-[swipe=end]:animate-swipe-out data-[swipe=move]:translate-x-(--radix-toast-swipe-move-x)"
    >
      <Icon of={tone.icon} className={`mt-2 ${tone.color}`} />
      <div className="min-w-0 flex-1 py-1.5">
        {/* The sentences of §8 begin with a small letter. */}
        <Toast.Title className="font-semibold first-letter:uppercase">{toast.title}</Toast.Title>
        {toast.text && (
          <Toast.Description className="text-sm text-ink-soft first-letter:uppercase">
            {toast.text}
          </Toast.Description>
        )}
        {toast.action && (
          <Toast.Action
            altText={toast.action.label}
            onClick={toast.action.onPress}
            className="touch mt-1 rounded-sm font-semibold text-lagoon hover:underline"
          >
            {toast.action.label}
          </Toast.Action>
        )}
      </div>
      <Toast.Close asChild>
        <IconButton label="Dismiss" size="sm" quiet>
          <Icon of={X} />
        </IconButton>
      </Toast.Close>
    </Toast.Root>
  );
}

const FIELDS = 'input, textarea, select, [contenteditable=true]';

/** Whether the element lies over a field that is shown. */
function coversField(element: Element): boolean {
  const { top, bottom, left, right } = element.getBoundingClientRect();
  return [...document.querySelectorAll(FIELDS)].some((field) => {
    const box = field.getBoundingClientRect();
    const isUnder = box.top < bottom && box.bottom > top && box.left < right && box.right > left;
    return isUnder && field.checkVisibility();
  });
}

/** Keeps the viewport at the lower edge, and at the upper one while it would cover a field there. */
function useFreeEdge(shownId: number | undefined) {
  const viewport = useRef<HTMLOListElement>(null);
  useLayoutEffect(() => {
    if (shownId === undefined) return;
    const place = () => {
      if (!viewport.current) return;
      viewport.current.dataset.edge = 'lower';
      if (coversField(viewport.current)) viewport.current.dataset.edge = 'upper';
    };
    place();
    // The first toast of a page comes into the viewport after it was placed, and any may get more lines.
    const sizes = new ResizeObserver(place);
    if (viewport.current) sizes.observe(viewport.current);
    // Of a field that the keyboard or a scroll brought under it.
    addEventListener('focusin', place);
    addEventListener('resize', place);
    addEventListener('scrollend', place);
    return () => {
      sizes.disconnect();
      removeEventListener('focusin', place);
      removeEventListener('resize', place);
      removeEventListener('scrollend', place);
    };
  }, [shownId]);
  return viewport;
}

/** Where toasts appear: bottom right, above the bottom bar and the composer. Loaded by `Toaster` when first needed. */
export default function ToastViewport() {
  const shown = shownToast(useToasts().queue);
  const viewport = useFreeEdge(shown?.id);
  return (
    <Toast.Provider swipeDirection="right" swipeThreshold={TOAST_SWIPE_PX} label="Notification">
      {shown && <ToastItem key={shown.id} toast={shown} />}
      <Toast.Viewport
        ref={viewport}
        className="fixed right-0 z-60 m-0 w-full max-w-md list-none px-4 outline-none not-data-[edge=upper]:bottom-[calc(16px+env(safe-area-inset-bottom)+var(--bottom-bar,0px)+var(--composer,0px))] data-[edge=upper]:top-[calc(16px+env(safe-area-inset-top))]"
      />
    </Toast.Provider>
  );
}
