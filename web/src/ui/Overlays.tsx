import { ConfirmHost } from './ConfirmHost.tsx';
import { LiveRegion } from './LiveRegion.tsx';
import { Toaster } from './Toaster.tsx';

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
