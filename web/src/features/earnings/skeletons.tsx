import { Page, Skeleton, Skeletons } from '../../ui/Page.tsx';

/** Under the heading of the earnings. */
export const earningsIntro =
  'What your plans brought, after the platform fee. Months are by Philippine time.';

export function EarningsSkeleton() {
  return (
    <Page title="Earnings" intro={earningsIntro} width="chat">
      <Skeletons
        count={4}
        label="Loading your earnings"
        className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,9rem),1fr))] gap-3"
      >
        {() => <Skeleton shape="box" height={112} />}
      </Skeletons>
      <Skeleton shape="box" width={200} height={44} className="mt-6" />
      <Skeleton shape="box" height={288} className="mt-4" />
    </Page>
  );
}
