import { sized } from '@tara/contract/files';
import { displayLength } from '@tara/contract/limits';
import type { VerificationRequest } from '@tara/contract/verification';
import { Avatar } from '../../ui/Avatar.tsx';
import { shortened } from '../../ui/shortened.ts';
import { TimeLabel } from '../../ui/TimeLabel.tsx';

/** Who asks, since when, and the beginning of the address (§9). */
export function RequestRow({ request: { creator, address, createdAt } }: { request: VerificationRequest }) {
  return (
    <>
      <Avatar name={creator.name} src={sized(creator.picture.imageUrl, 96)} />
      <span className="min-w-0 flex-1">
        <span className="flex items-baseline justify-between gap-2">
          <span className="truncate font-semibold">{creator.name}</span>
          <TimeLabel iso={createdAt} className="text-sm text-ink-soft" />
        </span>
        <span className="block truncate text-sm text-ink-soft">@{creator.username}</span>
        <span className="block text-sm wrap-anywhere text-ink-soft">
          {shortened(address, displayLength.adminAddress)}
        </span>
      </span>
    </>
  );
}
