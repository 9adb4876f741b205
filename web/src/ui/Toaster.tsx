import { lazy, Suspense } from 'react';
import { useStore } from './store.ts';
import { toasts } from './toast.ts';

const ToastStage = lazy(() => import('./ToastStage.tsx'));
let needed = false;

/** Put once at the root. The stage is fetched with the first toast and stays from then on. */
export function Toaster() {
  needed = useStore(toasts).length > 0 || needed;
  return needed ? (
    <Suspense>
      <ToastStage />
    </Suspense>
  ) : null;
}
