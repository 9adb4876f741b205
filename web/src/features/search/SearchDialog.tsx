// biome-ignore lint/style/noRestrictedImports: the results of a text, in a dialog, which has a place for each state.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { linkOptions } from '@tanstack/react-router';
import { searchLength } from '@tara/contract/limits';
import type { Person } from '@tara/contract/members/profiles';
import { type FoundPlan, type FoundPost, type SearchResults, search } from '@tara/contract/search';
import { CalendarHeart, Images, type LucideIcon, Search, UsersRound } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { errorNotice } from '../../lib/call.ts';
import { queryOf } from '../../lib/queries.ts';
import { useSearchAfterPause } from '../../lib/search-pause.ts';
import { PersonAvatar, StoredPicture } from '../../lib/stored-picture.tsx';
import { money, PersonName } from '../../ui/facts.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { EmptyState, ErrorState, PersonSkeleton, Skeletons } from '../../ui/Page.tsx';
import SearchPanel, { type SearchGroup } from '../../ui/SearchPanel.tsx';

interface SearchDialogProps {
  open: boolean;
  onClose: () => void;
  /** The text that it begins with. */
  typed: string;
}

/** People, plans and posts in one list, by one field. */
export default function SearchDialog({ open, onClose, typed }: SearchDialogProps) {
  const [text, setText] = useState(typed);
  const wanted = text.trim();
  const searched = useSearchAfterPause(open ? text : '');
  const { data, error, isFetching, isPlaceholderData, refetch } = useQuery({
    ...queryOf(search.all, { query: { search: searched } }),
    enabled: searched !== '',
    placeholderData: searched === '' ? undefined : keepPreviousData,
  });
  const close = () => {
    setText('');
    onClose();
  };
  const results = wanted === '' || error ? undefined : data;
  const isCurrent = results !== undefined && searched === wanted && !isPlaceholderData;
  return (
    <SearchPanel
      open={open}
      onClose={close}
      label="Search people, plans and posts"
      text={text}
      onText={setText}
      limit={searchLength}
      pending={wanted !== '' && (searched !== wanted || isFetching)}
      status={isCurrent ? countText(results) : ''}
      groups={wanted === '' ? PLACES : results ? resultGroups(results, searched) : []}
    >
      {error && !isFetching ? (
        <ErrorState {...errorNotice(error)} onRetry={() => void refetch()} className="py-4!" />
      ) : isCurrent ? (
        <EmptyState
          illustration="cat"
          title={`Nothing matches “${searched}”`}
          text="No person, plan or post has every word of it. Try fewer words."
          className="py-4! wrap-anywhere"
        />
      ) : (
        <Skeletons count={6} label="Searching" className="flex flex-col">
          {() => (
            <div className="flex min-h-14 items-center gap-3 px-3 py-1.5">
              <PersonSkeleton size={44} />
            </div>
          )}
        </Skeletons>
      )}
    </SearchPanel>
  );
}

/** Where one can look around instead. */
const PLACES: readonly SearchGroup[] = [
  {
    title: 'Look around',
    options: [
      {
        id: 'people',
        link: linkOptions({ to: '/all-users' }),
        children: <Place icon={UsersRound} title="People" text="by name, username or hobby" />,
      },
      {
        id: 'plans',
        link: linkOptions({ to: '/explore', search: { show: 'plans' } }),
        children: <Place icon={CalendarHeart} title="Plans" text="by title, place or description" />,
      },
      {
        id: 'posts',
        link: linkOptions({ to: '/explore' }),
        children: <Place icon={Images} title="Posts" text="by caption, tag or place" />,
      },
    ],
  },
];

const countOf = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`;

const countText = ({ people, plans, posts }: SearchResults) =>
  [
    countOf(people.length, 'person', 'people'),
    countOf(plans.length, 'plan', 'plans'),
    countOf(posts.length, 'post', 'posts'),
  ].join(', ');

/** The results by their kind, and the way to all of them; nothing where nothing was found. */
function resultGroups({ people, plans, posts }: SearchResults, text: string): SearchGroup[] {
  if (people.length + plans.length + posts.length === 0) return [];
  return [
    { title: 'People', options: people.map(personOption) },
    { title: 'Plans', options: plans.map(planOption) },
    { title: 'Posts', options: posts.map(postOption) },
    {
      title: 'More',
      options: [
        {
          id: 'all',
          link: linkOptions({ to: '/explore', search: { search: text } }),
          children: <Place icon={Search} title="All results" text={`for “${text}” in Explore`} />,
        },
      ],
    },
  ];
}

const personOption = (person: Person) => ({
  id: `person-${person.id}`,
  link: linkOptions({ to: '/profile/$id', params: { id: person.id } }),
  children: (
    <Row
      picture={<PersonAvatar person={person} className="size-11!" />}
      title={<PersonName person={person} />}
      text={`@${person.username}`}
    />
  ),
});

const planOption = ({ id, title, price, cover, creator }: FoundPlan) => ({
  id: `plan-${id}`,
  link: linkOptions({ to: '/profile/plan-details/$id', params: { id }, search: { list: creator.id } }),
  children: (
    <Row
      picture={
        <StoredPicture picture={cover} alt="" ratio="1 / 1" sizes="44px" className="w-11! rounded-sm" />
      }
      title={title}
      text={`${price === 0 ? 'Free' : money(price)} · by ${creator.name}`}
    />
  ),
});

const postOption = ({ id, caption, picture, creator }: FoundPost) => ({
  id: `post-${id}`,
  link: linkOptions({ to: '/post/$id', params: { id } }),
  children: (
    <Row
      picture={
        <StoredPicture picture={picture} alt="" ratio="1 / 1" sizes="44px" className="w-11! rounded-sm" />
      }
      title={caption || 'A photo'}
      text={`by ${creator.name}`}
    />
  ),
});

function Row({ picture, title, text }: { picture: ReactNode; title: ReactNode; text: string }) {
  return (
    <>
      {picture}
      <span className="min-w-0 flex-1">
        <span className="block truncate font-semibold">{title}</span>
        <span className="block truncate text-sm text-ink-soft">{text}</span>
      </span>
    </>
  );
}

function Place({ icon, title, text }: { icon: LucideIcon; title: string; text: string }) {
  return (
    <Row
      picture={
        <span className="flex size-11 shrink-0 items-center justify-center rounded-full bg-lagoon-soft text-lagoon">
          <Icon of={icon} />
        </span>
      }
      title={title}
      text={text}
    />
  );
}
