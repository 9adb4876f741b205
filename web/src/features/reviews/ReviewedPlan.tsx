import { sized } from '@tara/contract/files';
import type { Interaction } from '@tara/contract/interactions';
import { Avatar } from '../../ui/Avatar.tsx';
import { Card } from '../../ui/Card.tsx';
import { Picture } from '../../ui/Picture.tsx';

/** What and whom the review is about. */
export function ReviewedPlan({ request: { cover, planTitle, creator } }: { request: Interaction }) {
  return (
    <Card padding="sm" className="flex items-center gap-4">
      <Picture
        {...cover}
        source={(width) => sized(cover.imageUrl, width)}
        ratio="1 / 1"
        sizes="80px"
        className="w-20! shrink-0 rounded-control"
      />
      <div className="min-w-0">
        <p className="font-semibold wrap-anywhere">{planTitle}</p>
        <p className="mt-1 flex items-center gap-2 text-ink-soft">
          <Avatar name={creator.name} src={sized(creator.picture.imageUrl, 96)} size="xs" />
          <span className="truncate">with {creator.name}</span>
        </p>
      </div>
    </Card>
  );
}
