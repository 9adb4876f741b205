import { CircleAlert, CircleCheck, Info, X } from 'lucide-react';
import { Toast } from 'radix-ui';
import { useState } from 'react';
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

/** Where toasts appear: bottom right, above the bottom bar on phones. Loaded by `Toaster` when first needed. */
export default function ToastStage() {
  const shown = shownToast(useToasts().queue);
  return (
    <Toast.Provider swipeDirection="right" swipeThreshold={TOAST_SWIPE_PX} label="Notification">
      {shown && <ToastItem key={shown.id} toast={shown} />}
      <Toast.Viewport className="fixed right-0 bottom-0 z-60 m-0 w-full max-w-md list-none p-4 pb-[calc(16px+env(safe-area-inset-bottom)+var(--bottom-bar,0px))] outline-none" />
    </Toast.Provider>
  );
}
