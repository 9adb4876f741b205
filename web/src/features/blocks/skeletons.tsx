import { Page, Skeleton, Skeletons } from '../../ui/Page.tsx';

/** The skeleton of both lists. */
export function BlockedSkeleton() {
  return (
    <Page title="Blocked people" width="feed">
      <Skeletons count={2} label="Loading blocked people">
        {() => (
          <div className="mb-8">
            <Skeleton width={120} height={22} />
            <Skeleton width="70%" />
            <Skeleton shape="box" height={72} className="mt-3 rounded-card!" />
          </div>
        )}
      </Skeletons>
    </Page>
  );
}
