import { Page, Skeleton, Skeletons } from '../../ui/Page.tsx';

/** The skeleton of the page. */
export const ConfirmationSkeleton = () => (
  <Page title="Confirmation" width="form">
    <Skeletons count={1} label="Loading the confirmation">
      {() => (
        <div className="flex flex-col gap-4">
          <Skeleton width="60%" />
          <Skeleton shape="box" height={420} />
        </div>
      )}
    </Skeletons>
  </Page>
);
