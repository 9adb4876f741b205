import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { plans } from '@tara/contract/plans';
import { isProblem, wordsOfFailure } from '../../lib/failure.ts';
import { queryOf } from '../../lib/queries.ts';
import { buttonClass } from '../../ui/Button.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Page } from '../../ui/Page.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { GenericTerms } from './GenericTerms.tsx';
import { PlanFacts } from './PlanFacts.tsx';
import { SendRequest } from './SendRequest.tsx';

/** /profile/plan-details/{id}: 'Plan request detail' (§2). `list` names the creator's plan list. */
export function PlanDetailsScreen({ id, list }: { id: string; list?: string | undefined }) {
  const { data, error, isPending, isFetching, refetch } = useQuery(queryOf(plans.get, { params: { id } }));
  return (
    <Page title="Plan request" width="feed">
      {data ? (
        <div className="flex flex-col gap-6">
          <PlanFacts plan={data.plan} />
          <GenericTerms open />
          {data.isCreator ? (
            <p className="flex flex-wrap items-center justify-between gap-3 rounded-card bg-sunken p-4">
              This is your own plan.
              <Link
                to="/profile/friend-request/$id"
                params={{ id: data.plan.creator.id }}
                className={buttonClass({ variant: 'secondary', size: 'sm' })}
              >
                See who asked for it
              </Link>
            </p>
          ) : (
            <SendRequest detail={data} />
          )}
        </div>
      ) : isPending ? (
        <PlanSkeleton />
      ) : (
        <ErrorState
          {...wordsOfFailure(error)}
          {...(isProblem(error, 'plan_not_found')
            ? { text: 'It may have been taken away.' }
            : { onRetry: () => void refetch(), retrying: isFetching })}
          action={
            list ? (
              <Link
                to="/profile/plans/$id"
                params={{ id: list }}
                className={buttonClass({ variant: 'secondary' })}
              >
                Back to the plans
              </Link>
            ) : (
              <Link to="/" className={buttonClass({ variant: 'secondary' })}>
                Home
              </Link>
            )
          }
        />
      )}
    </Page>
  );
}

function PlanSkeleton() {
  return (
    <div role="status" aria-label="Loading the plan" aria-busy="true" className="flex flex-col gap-4">
      <div style={{ aspectRatio: '16 / 9' }}>
        <Skeleton shape="box" height="100%" className="rounded-card" />
      </div>
      <div className="flex items-center gap-3">
        <Skeleton shape="circle" width={56} />
        <Skeleton width="40%" />
      </div>
      <Skeleton width="60%" height={28} />
      <Skeleton />
      <Skeleton width="80%" />
    </div>
  );
}
