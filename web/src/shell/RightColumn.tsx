import { Link, useLocation } from '@tanstack/react-router';
import { profiles } from '@tara/contract/members/profiles';
import { queryOf, useOptional } from '../lib/queries.ts';
import { PersonSummary } from '../lib/stored-picture.tsx';
import { linkClass } from '../ui/Button.tsx';
import { ExtraLinks } from './navigation.tsx';

const PEOPLE_COUNT = 5;

/** From 1280 px, beside the screen: the extra links, and a few people to meet, unless the screen shows the same ones. */
export default function RightColumn() {
  const isPeople = useLocation({ select: ({ pathname }) => pathname === '/all-users' });
  return (
    <div className="flex flex-col gap-8">
      <ExtraLinks />
      {!isPeople && <PeopleToMeet />}
    </div>
  );
}

/** Renders nothing while loading or after an error, because it is secondary. */
function PeopleToMeet() {
  const page = useOptional(queryOf(profiles.people, { query: {} }));
  // A face invites, an initial does not.
  const withPhoto = page?.items.filter(({ picture }) => picture.imageId !== null) ?? [];
  const people = withPhoto.slice(0, PEOPLE_COUNT);
  if (people.length === 0) return null;
  return (
    <section aria-labelledby="people-to-meet">
      <div className="flex items-baseline justify-between gap-3 px-3">
        <h2 id="people-to-meet" className="font-semibold">
          People to meet
        </h2>
        <Link to="/all-users" className={`${linkClass} text-sm`}>
          All
        </Link>
      </div>
      <ul className="mt-2 flex flex-col gap-1">
        {people.map((person) => (
          <li key={person.id}>
            <Link
              to="/profile/$id"
              params={{ id: person.id }}
              className="flex items-center gap-3 rounded-control px-3 py-2 hover:bg-sunken"
            >
              <PersonSummary person={person} note={person.city || undefined} />
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
