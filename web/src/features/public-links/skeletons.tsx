import type { ReactNode } from 'react';
import { HomeLink } from '../../ui/Icon.tsx';
import { PageTitle, Skeleton, Skeletons } from '../../ui/Page.tsx';
import { AuthLayout } from '../accounts/index.ts';

/** The skeleton of an invitation. */
export function InvitationSkeleton() {
  return (
    <AuthLayout
      title="An invitation"
      portrait={<Skeleton shape="circle" width={128} className="ring-4 ring-paper" />}
      welcome
    >
      <Skeletons count={1} label="Loading the invitation">
        {() => <Skeleton shape="box" height={48} />}
      </Skeletons>
    </AuthLayout>
  );
}

/** The skeleton of a plan's public page. */
export function PublicPlanSkeleton() {
  return (
    <PublicPlanFrame title="A plan" cover={<Skeleton shape="box" width="100%" height="100%" />}>
      <Skeletons count={1} label="Loading the plan" className="flex flex-col gap-4">
        {() => (
          <>
            <Skeleton width="40%" />
            <Skeleton width="90%" height={36} />
            <Skeleton width="50%" />
            <Skeleton shape="box" height={48} />
          </>
        )}
      </Skeletons>
    </PublicPlanFrame>
  );
}

interface PublicPlanFrameProps {
  title: string;
  /** Fills its place: on phones from edge to edge, on wide screens beside the words. */
  cover: ReactNode;
  /** Below both. */
  footer?: ReactNode;
  children: ReactNode;
}

/** The frame of a plan's public page. */
export function PublicPlanFrame({ title, cover, footer, children }: PublicPlanFrameProps) {
  return (
    <div className="mx-auto w-full max-w-grid px-safe pt-safe pb-safe">
      <PageTitle title={title} />
      <header className="py-3 sm:py-5">
        <HomeLink />
      </header>
      <main id="main">
        <div className="grid gap-6 lg:grid-cols-[1.15fr_1fr] lg:items-center lg:gap-14">
          <div className="bleed aspect-4/3 overflow-hidden sm:rounded-card">{cover}</div>
          <div className="flex flex-col">{children}</div>
        </div>
        {footer}
      </main>
    </div>
  );
}
