import { sized } from '@tara/contract/files';
import type { Interaction } from '@tara/contract/interactions';
import { Money } from '../../ui/Money.tsx';
import { Picture } from '../../ui/Picture.tsx';
import { TimeLabel } from '../../ui/TimeLabel.tsx';
import { PlanTitle } from '../plans/index.ts';

/** Which plan, who met, for how much, and since when it waits. */
export function PlanToConfirmRow({ request }: { request: Interaction }) {
  const { cover, creator, whoSentReq, planTitle, price, updatedAt } = request;
  return (
    <>
      <Picture
        {...cover}
        alt=""
        source={(width) => sized(cover.imageUrl, width)}
        ratio="1 / 1"
        sizes="48px"
        className="w-12! shrink-0 rounded-control"
      />
      <span className="min-w-0 flex-1">
        <span className="flex items-baseline justify-between gap-2">
          <span className="truncate font-semibold">
            <PlanTitle title={planTitle} />
          </span>
          <TimeLabel iso={updatedAt} className="text-sm text-ink-soft" />
        </span>
        <span className="block truncate text-sm text-ink-soft">
          {creator.name} and {whoSentReq.name}
        </span>
        <span className="block text-sm text-ink-soft">{price === 0 ? 'Free' : <Money pesos={price} />}</span>
      </span>
    </>
  );
}
