import { skeletons } from '@tara/contract/limits';
import type { ReactNode } from 'react';
import { HomeLink } from '../../ui/Icon.tsx';
import { Page, PageTitle, PersonSkeleton, Skeleton, Skeletons } from '../../ui/Page.tsx';

/** The skeleton of the screen. */
export function NotificationsSkeleton() {
  return (
    <Page title="Notifications" width="chat">
      <Skeleton shape="box" height={44} className="mb-4" />
      <NotificationSkeletons />
    </Page>
  );
}

export const NotificationSkeletons = () => (
  <Skeletons count={skeletons.notifications} label="Loading notifications" className="flex flex-col gap-0.5">
    {() => (
      <div className="flex h-20 items-center gap-3">
        <PersonSkeleton widths={['60%', '80%']} />
      </div>
    )}
  </Skeletons>
);

export function NotificationSettingsSkeleton() {
  return (
    <Page title="What notifies you">
      <Skeletons count={3} label="Loading your settings" className="flex flex-col gap-8">
        {() => (
          <div>
            <Skeleton width={140} height={24} className="mb-3" />
            <Skeleton shape="box" height={196} />
          </div>
        )}
      </Skeletons>
    </Page>
  );
}

/** The skeleton of what an email's link ends. */
export function UnsubscribeSkeleton() {
  return (
    <UnsubscribeFrame title="Emails from Tara">
      <Skeletons count={1} label="Loading what the link ends" className="mt-4 flex flex-col gap-4">
        {() => (
          <>
            <Skeleton width="90%" />
            <Skeleton shape="box" height={48} />
          </>
        )}
      </Skeletons>
    </UnsubscribeFrame>
  );
}

/** The frame of the page. */
export function UnsubscribeFrame({ title, children }: { title: string; children: ReactNode }) {
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
      </div>
    </div>
  );
}
