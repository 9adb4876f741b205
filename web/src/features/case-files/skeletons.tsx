import { Page, Skeleton, Skeletons } from '../../ui/Page.tsx';

/** Under the heading of the search of money. */
export const findIntro =
  'By the id or number of a request, payment, confirmation, refund, transfer or chargeback, or by a member’s username or email.';

export const FindMoneySkeleton = () => (
  <Page title="Find a payment" intro={findIntro} width="chat">
    <MatchSkeletons />
  </Page>
);

export const MatchSkeletons = () => (
  <Skeletons count={3} label="Searching" className="flex flex-col gap-3">
    {() => <Skeleton shape="box" height={76} />}
  </Skeletons>
);

export const TimelineSkeleton = () => (
  <Page title="Timeline" width="chat">
    <Skeletons count={1} label="Loading the timeline">
      {() => (
        <div className="flex flex-col gap-5">
          <Skeleton width="60%" />
          <Skeleton shape="box" height={140} />
          <Skeleton shape="box" height={420} />
        </div>
      )}
    </Skeletons>
  </Page>
);
