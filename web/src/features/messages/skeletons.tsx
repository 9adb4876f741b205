import { Page, Skeleton } from '../../ui/Page.tsx';

/** The skeleton of a chat. */
export function ChatSkeleton({ title, hasCard = false }: { title: string; hasCard?: boolean }) {
  return (
    <Page title={title} width="chat" hideTitle>
      <div role="status" aria-label="Loading the chat" aria-busy="true" className="flex flex-col gap-4">
        {hasCard && <Skeleton shape="box" height={48} className="rounded-card" />}
        {WIDTHS.map((width, index) => (
          <Skeleton
            key={width}
            shape="box"
            width={width}
            height={52}
            className={index % 2 === 0 ? undefined : 'self-end'}
          />
        ))}
      </div>
    </Page>
  );
}

const WIDTHS = ['55%', '40%', '62%', '30%', '48%', '58%'];
