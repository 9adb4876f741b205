import type { ReactNode } from 'react';
import { HomeLink } from '../../ui/Icon.tsx';
import { PageTitle, Skeleton, Skeletons } from '../../ui/Page.tsx';

/** The skeleton of a shared plan. */
export function SharedPlanSkeleton() {
  return (
    <SharedPlanFrame title="A shared plan">
      <Skeletons count={1} label="Loading the plan" className="mt-6 flex flex-col gap-4">
        {() => <Skeleton shape="box" width="100%" height={270} className="rounded-card" />}
      </Skeletons>
    </SharedPlanFrame>
  );
}

/** The frame of the page; `footer` is below what it says. */
export function SharedPlanFrame({
  title,
  footer,
  children,
}: {
  title: string;
  footer?: ReactNode;
  children: ReactNode;
}) {
  return (
    <div className="px-safe pt-safe pb-safe">
      <PageTitle title={title} />
      <div className="mx-auto w-full max-w-form px-4 pb-12 sm:px-6">
        <header className="py-4">
          <HomeLink />
        </header>
        <main id="main" className="pt-2 sm:pt-6">
          <h1 tabIndex={-1} className="text-2xl font-bold tracking-tight wrap-anywhere">
            {title}
          </h1>
          {children}
        </main>
        {footer && <footer className="mt-6">{footer}</footer>}
      </div>
    </div>
  );
}
