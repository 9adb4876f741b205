import { MessageCircle } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../Button.tsx';
import { Card } from '../Card.tsx';
import { EmptyState } from '../EmptyState.tsx';
import { ErrorState } from '../ErrorState.tsx';
import { InfiniteList } from '../InfiniteList.tsx';
import { Skeleton, Skeletons } from '../Skeleton.tsx';
import { Section } from './Section.tsx';

export function Places() {
  const [failed, setFailed] = useState(true);
  return (
    <Section title="Places">
      <Card padding="none">
        <EmptyState
          icon={MessageCircle}
          title="No Chats"
          text="Messages with the people you meet are kept here."
          action={<Button>Find friends</Button>}
        />
      </Card>
      <Card padding="none">
        <ErrorState onRetry={() => {}} />
      </Card>
      <Skeletons count={2} className="flex flex-col gap-4">
        {() => (
          <Card>
            <div className="flex items-center gap-3">
              <Skeleton shape="circle" width={40} />
              <div className="flex-1">
                <Skeleton width="40%" />
                <Skeleton width="25%" />
              </div>
            </div>
            <Skeleton shape="box" height={160} className="mt-4 w-full" />
          </Card>
        )}
      </Skeletons>
      <InfiniteList hasMore pending={!failed} failed={failed} loadMore={() => setFailed(false)}>
        {null}
      </InfiniteList>
    </Section>
  );
}
