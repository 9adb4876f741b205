import type { ReactNode } from 'react';
import { Page, PersonSkeleton, Skeleton, Skeletons } from '../../ui/Page.tsx';

/** The skeleton of a review. */
export function ReviewSkeleton() {
  return (
    <Page title="Review" width="feed">
      <Skeletons count={1} label="Loading the review">
        {() => (
          <div>
            <div className="flex items-center gap-3 pb-3">
              <PersonSkeleton widths={['40%', '30%']} />
            </div>
            <Skeleton className="bleed aspect-4/3 max-w-none! rounded-none! sm:rounded-card!" shape="box" />
            <div className="py-4">
              <Skeleton width="35%" />
              <Skeleton />
              <Skeleton width="80%" />
            </div>
          </div>
        )}
      </Skeletons>
    </Page>
  );
}

/** The skeleton of the form. */
export const WriteReviewSkeleton = () => (
  <FormSkeleton title="Write a review" label="Loading the plan">
    <div className="flex items-center gap-4">
      <Skeleton shape="box" width={80} height={80} />
      <div className="flex-1">
        <Skeleton width="60%" />
        <Skeleton width="40%" />
      </div>
    </div>
  </FormSkeleton>
);

/** The skeleton of the form. */
export const UpdateReviewSkeleton = () => (
  <FormSkeleton title="Edit review" label="Loading the review">
    <Skeleton shape="box" height={80} />
  </FormSkeleton>
);

/** `children` show what is reviewed. */
function FormSkeleton({ title, label, children }: { title: string; label: string; children: ReactNode }) {
  return (
    <Page title={title} width="form">
      <div role="status" aria-label={label} aria-busy="true" className="flex flex-col gap-6">
        {children}
        <Skeleton shape="box" height={120} />
        <Skeleton shape="box" height={160} />
      </div>
    </Page>
  );
}

export function ReviewListSkeleton() {
  return (
    <Skeletons count={4} label="Loading reviews" className="mx-auto flex w-full max-w-feed flex-col gap-8">
      {() => (
        <div className="flex gap-4">
          <Skeleton shape="box" width={96} height={96} />
          <div className="flex-1">
            <Skeleton width="50%" />
            <Skeleton width="30%" />
            <Skeleton width="90%" />
          </div>
        </div>
      )}
    </Skeletons>
  );
}
