import './styles.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { queryClient } from './lib/queries.ts';
import { keepWindowWithoutChunk } from './lib/recovery.ts';
import { createAppRouter } from './router.ts';
import { closeOverlaysOnBack } from './ui/back.ts';

/** ms after the page's load. */
const STORE_APP_AFTER_MS = 3_000;

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');

keepWindowWithoutChunk();
// Before the router takes over the history.
closeOverlaysOnBack(() => router.history.location.state.__TSR_index);
const router = createAppRouter();

// After the first screen, which it must not delay.
if (import.meta.env.PROD && 'serviceWorker' in navigator)
  addEventListener('load', () => {
    setTimeout(() => {
      import('./lib/app-version.ts').then(({ storeApp }) => storeApp()).catch(() => undefined);
    }, STORE_APP_AFTER_MS);
  });

// A notification was pressed: the service worker asks for its screen.
if ('serviceWorker' in navigator)
  navigator.serviceWorker.addEventListener('message', ({ data, ports }: MessageEvent<{ open?: unknown }>) => {
    if (typeof data?.open !== 'string') return;
    ports[0]?.postMessage('opens');
    router.history.push(data.open);
  });

createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
