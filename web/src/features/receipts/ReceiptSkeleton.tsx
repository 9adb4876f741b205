import { Page } from '../../ui/Page.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';

const WIDTHS = ['55%', '40%', '62%', '30%', '48%', '58%'];

/** The shape of a chat that is on its way. */
export function ReceiptSkeleton() {
  return (
    <Page title="Plan chat" width="chat" hideTitle>
      <div role="status" aria-label="Loading the chat" aria-busy="true" className="flex flex-col gap-4">
        <Skeleton shape="box" height={140} className="rounded-card" />
        {WIDTHS.map((width, place) => (
          <Skeleton
            key={width}
            shape="box"
            width={width}
            height={52}
            className={place % 2 === 0 ? undefined : 'self-end'}
          />
        ))}
      </div>
    </Page>
  );
}
