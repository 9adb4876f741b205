import { useNavigate, useRouter } from '@tanstack/react-router';
import { timer } from '@tara/contract/limits';
import { useEffect, useState } from 'react';
import { useDebounced } from '../../lib/use-debounced.ts';
import { Page } from '../../ui/Page.tsx';
import { SearchBox } from '../../ui/SearchBox.tsx';
import { FoundPeople } from './FoundPeople.tsx';
import { PeopleList } from './PeopleList.tsx';

/** `/all-users` (§2): a grid of everyone else; what is searched takes its place, and stays in the address. */
export function PeopleScreen({ search = '' }: { search?: string | undefined }) {
  const navigate = useNavigate();
  const router = useRouter();
  const [written, setWritten] = useState(search);
  const wanted = useDebounced(written.trim(), timer.searchDebounce);
  const [shown, setShown] = useState(search);
  if (shown !== search) {
    setShown(search);
    // The way back to everyone, by the navigation.
    if (search === '') setWritten('');
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what is written changes the address
  useEffect(() => {
    // Who is on the way to a member must not be called back by what was just written.
    if (wanted === search || router.latestLocation.pathname !== '/all-users') return;
    void navigate({
      to: '/all-users',
      search: wanted === '' ? {} : { search: wanted },
      replace: true,
      resetScroll: false,
    });
  }, [wanted]);
  return (
    <Page title="Find Friends" intro="People who would like to hang out, too." width="grid">
      <SearchBox
        label="Search people by name"
        value={written}
        onChange={setWritten}
        pending={written.trim() !== search}
        className="mb-5 max-w-feed"
      />
      {search === '' ? <PeopleList /> : <FoundPeople name={search} />}
    </Page>
  );
}
