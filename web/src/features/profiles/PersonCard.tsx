import { Link } from '@tanstack/react-router';
import { sized } from '@tara/contract/files';
import { pageSize } from '@tara/contract/limits';
import type { Profile } from '@tara/contract/profiles';
import { Avatar } from '../../ui/Avatar.tsx';
import { Card } from '../../ui/Card.tsx';
import { Skeleton, Skeletons } from '../../ui/Skeleton.tsx';
import { VerifiedMark } from '../../ui/VerifiedMark.tsx';
import { bioPreview } from './bio-preview.ts';

/** People as cards, each a link to the profile. */
export function PeopleGrid({ people }: { people: Profile[] }) {
  return (
    <ul className="tiles">
      {people.map((person) => (
        <li key={person.id}>
          <PersonCard person={person} />
        </li>
      ))}
    </ul>
  );
}

function PersonCard({ person }: { person: Profile }) {
  const { id, name, username, picture, verified, bio } = person;
  return (
    <Link to="/profile/$id" params={{ id }} className="block h-full rounded-card">
      <Card interactive className="flex h-full flex-col items-center text-center">
        <Avatar name={name} src={sized(picture.imageUrl, 320)} size="xl" />
        <span className="mt-3 flex max-w-full items-center gap-1.5">
          <span className="truncate font-semibold">{name}</span>
          {verified && <VerifiedMark size={16} />}
        </span>
        <span className="max-w-full truncate text-sm text-ink-soft">@{username}</span>
        {bio && <span className="mt-2 text-sm wrap-anywhere text-ink-soft">{bioPreview(bio)}</span>}
      </Card>
    </Link>
  );
}

export function PeopleSkeletons() {
  return (
    <Skeletons count={pageSize.people} label="Loading people" className="tiles">
      {() => (
        <Card className="flex flex-col items-center">
          <Skeleton shape="circle" width={96} />
          <Skeleton width="60%" className="mt-4" />
          <Skeleton width="40%" />
        </Card>
      )}
    </Skeletons>
  );
}
