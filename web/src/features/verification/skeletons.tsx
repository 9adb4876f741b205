import { Page, Skeleton, Skeletons } from '../../ui/Page.tsx';

/** The skeleton of the form. */
export function GetVerifiedSkeleton() {
  return (
    <Page title="Get Verified" width="form">
      <Skeletons count={3} label="Loading the form" className="flex flex-col gap-4">
        {() => <Skeleton shape="box" height={160} />}
      </Skeletons>
    </Page>
  );
}
