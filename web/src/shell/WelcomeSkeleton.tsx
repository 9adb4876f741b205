import { Page, Skeleton, Skeletons } from '../ui/Page.tsx';

/** The skeleton of the first steps. */
export function WelcomeSkeleton() {
  return (
    <Page title="Welcome to Tara" width="form">
      <Skeletons count={3} label="Loading the first steps" className="flex flex-col gap-4">
        {() => <Skeleton shape="box" height={120} />}
      </Skeletons>
    </Page>
  );
}
