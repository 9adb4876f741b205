import { Link } from '@tanstack/react-router';
import { sized } from '@tara/contract/files';
import type { Person } from '@tara/contract/profiles';
import { Avatar } from '../../ui/Avatar.tsx';
import { VerifiedMark } from '../../ui/VerifiedMark.tsx';

/** A member as a line: face, name and handle, linked to the profile. */
export function PersonLine({ person, part, heading }: { person: Person; part?: string; heading?: boolean }) {
  const Name = heading ? 'h2' : 'p';
  return (
    <div className="flex min-w-0 items-center gap-3">
      <Avatar name={person.name} src={sized(person.picture.imageUrl, 96)} size={heading ? 'lg' : 'md'} />
      <div className="min-w-0">
        {part && <p className="text-sm text-ink-soft">{part}</p>}
        <Name tabIndex={heading ? -1 : undefined} className={heading ? 'text-lg font-bold' : 'font-semibold'}>
          <Link
            to="/profile/$id"
            params={{ id: person.id }}
            className="inline-flex max-w-full items-center gap-1.5 hover:underline"
          >
            <span className="truncate">{person.name}</span>
            {person.verified && <VerifiedMark />}
          </Link>
        </Name>
        <p className="truncate text-sm text-ink-soft">@{person.username}</p>
      </div>
    </div>
  );
}
