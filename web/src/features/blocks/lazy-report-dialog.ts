import { lazyPart } from '../../ui/lazy-component.tsx';

/** Needs a `<Suspense>` around it. */
export const ReportDialog = lazyPart(() => import('./ReportDialog.tsx'));
