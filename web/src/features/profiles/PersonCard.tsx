import { Link } from '@tanstack/react-router';
import { urlAtWidth } from '@tara/contract/files';
import { pageSize } from '@tara/contract/limits';
import type { Profile } from '@tara/contract/profiles';
import type { ReactNode } from 'react';
import { PersonName } from '../../ui/facts.tsx';
import { Card, Skeleton, Skeletons } from '../../ui/Page.tsx';
import { Avatar } from '../../ui/Picture.tsx';
import { bioPreview } from './bio-preview.ts';

/** A member in a grid of people; all of it leads to the profile but its `action`. */
export function PersonCard({ person, action }: { person: Profile; action?: ReactNode }) {
  const { id, name, username, picture, bio } = person;
  return (
    <Card interactive className="relative flex h-full flex-col items-center text-center">
      <Avatar name={name} src={urlAtWidth(picture.imageUrl, 320)} size="xl" />
      <Link
        to="/profile/$id"
        params={{ id }}
        // The link covers the card, to make it easy to press.
        className="mt-3 flex max-w-full font-semibold after:absolute after:inset-0 after:rounded-card focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:outline-offset-2 focus-visible:after:outline-lagoon"
      >
        <PersonName person={person} />
      </Link>
      <span className="max-w-full truncate text-sm text-ink-soft">@{username}</span>
      {bio && <span className="mt-2 text-sm wrap-anywhere text-ink-soft">{bioPreview(bio)}</span>}
      {action && <span className="relative z-10 mt-auto pt-3">{action}</span>}
    </Card>
  );
}

/** The skeleton of a grid of people. */
export function PersonCardSkeletons() {
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
