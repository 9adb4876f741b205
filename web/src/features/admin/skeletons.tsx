import { Page, PersonSkeleton, Skeleton, Skeletons } from '../../ui/Page.tsx';

/** Under the heading of the money page. */
export const moneyIntro = 'Where the money of members is, and how long it has been there.';

/** The skeleton of a work list, with as many rows as fit a screen. */
export function AdminQueueSkeleton({ title }: { title: string }) {
  return (
    <Page title={title} width="grid" className="min-[900px]:[&>[role=status]]:w-5/13">
      <Skeletons
        count={8}
        label="Loading the list"
        className="divide-y divide-line overflow-hidden rounded-card border border-line bg-surface"
      >
        {() => (
          <div className="flex min-h-16 items-center gap-3 px-4 py-3">
            <PersonSkeleton widths={['60%', '85%']} />
          </div>
        )}
      </Skeletons>
    </Page>
  );
}

export function MoneySkeleton() {
  return (
    <Page title="Money" intro={moneyIntro} width="grid">
      <Skeletons count={6} label="Loading the overview" className="grid gap-4 md:grid-cols-2">
        {() => <Skeleton shape="box" height={256} />}
      </Skeletons>
      <Skeleton shape="box" height={288} className="mt-4" />
    </Page>
  );
}

export const ReportsSkeleton = () => <AdminQueueSkeleton title="Reports" />;

export const DisputesSkeleton = () => <AdminQueueSkeleton title="Disputes" />;

export const NoAnswerSkeleton = () => <AdminQueueSkeleton title="No answer" />;

export const ChargebacksSkeleton = () => <AdminQueueSkeleton title="Chargebacks" />;

export const ConfirmPlansSkeleton = () => <AdminQueueSkeleton title="Confirm Plans" />;

export const VerifyUsersSkeleton = () => <AdminQueueSkeleton title="Verify Users" />;
