import { skeletons } from '@tara/contract/limits';
import { Page, PersonSkeleton, Skeleton, Skeletons } from '../../ui/Page.tsx';

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
