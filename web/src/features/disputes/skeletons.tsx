import { Page, Skeleton, Skeletons } from '../../ui/Page.tsx';

/** The skeleton of the page. */
export const DisputeSkeleton = () => (
  <Page title="There was a problem" width="form">
    <Skeletons count={1} label="Loading the request">
      {() => (
        <div className="flex flex-col gap-5">
          <Skeleton width="70%" />
          <Skeleton shape="box" height={90} />
          <Skeleton shape="box" height={220} />
        </div>
      )}
    </Skeletons>
  </Page>
);
