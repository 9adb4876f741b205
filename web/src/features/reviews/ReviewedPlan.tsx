import type { Picture as StoredPicture } from '@tara/contract/fields';
import { urlAtWidth } from '@tara/contract/files';
import type { Person } from '@tara/contract/profiles';
import { PersonName } from '../../ui/facts.tsx';
import { Card } from '../../ui/Page.tsx';
import { Avatar, Picture } from '../../ui/Picture.tsx';

interface ReviewedPlanProps {
  title: string;
  creator: Person;
  /** Where it is known. */
  cover?: StoredPicture;
}

/** The plan and the creator that are reviewed. */
export function ReviewedPlan({ title, creator, cover }: ReviewedPlanProps) {
  return (
    <Card padding="sm" className="flex items-center gap-4">
      {cover && (
        <Picture
          {...cover}
          source={(width) => urlAtWidth(cover.imageUrl, width)}
          ratio="1 / 1"
          sizes="80px"
          className="w-20! shrink-0 rounded-control"
        />
      )}
      <div className="min-w-0">
        <p className="font-semibold wrap-anywhere">{title}</p>
        <p className="mt-1 flex items-center gap-2 text-ink-soft">
          <Avatar name={creator.name} src={urlAtWidth(creator.picture.imageUrl, 96)} size="xs" />
          with <PersonName person={creator} />
        </p>
      </div>
    </Card>
  );
}
