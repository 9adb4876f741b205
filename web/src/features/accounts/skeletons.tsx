import { Page, Skeleton, Skeletons } from '../../ui/Page.tsx';

export function DeleteAccountSkeleton() {
  return (
    <Page title="Delete my account" width="form">
      <Skeletons count={2} label="Loading what it means" className="flex flex-col gap-6">
        {() => <Skeleton shape="box" height={220} />}
      </Skeletons>
    </Page>
  );
}

export function SecondFactorSkeleton() {
  return (
    <Page title="Second factor" width="form">
      <Skeletons count={1} label="Loading your second factor">
        {() => <Skeleton shape="box" height={180} />}
      </Skeletons>
    </Page>
  );
}

export function SettingsSkeleton() {
  return (
    <Page title="Settings">
      <Skeletons count={4} label="Loading your settings" className="flex flex-col gap-8">
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
