import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { wordsOf } from '@tara/contract/problems';
import { profiles } from '@tara/contract/profiles';
import { UserRoundX } from 'lucide-react';
import { isProblem, wordsOfFailure } from '../../lib/failure.ts';
import { queryOf } from '../../lib/queries.ts';
import { buttonClass } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Page } from '../../ui/Page.tsx';
import { Segmented } from '../../ui/Segmented.tsx';
import { ReviewList } from '../reviews/index.ts';
import { AboutPanel } from './AboutPanel.tsx';
import { ProfileHeader } from './ProfileHeader.tsx';
import { ProfilePosts } from './ProfilePosts.tsx';
import { ProfileSkeleton } from './ProfileSkeleton.tsx';

const lists = [
  { value: 'posts', label: 'Posts' },
  { value: 'reviews', label: 'Reviews' },
] as const;

/** `/profile/{id}` (§2), the same for its owner and for others but for what each may do. */
export function ProfileScreen({ id, show }: { id: string; show?: string | undefined }) {
  const navigate = useNavigate();
  const profile = useQuery(queryOf(profiles.get, { params: { id } }));
  const list = show === 'reviews' ? 'reviews' : 'posts';
  if (profile.data) {
    return (
      <Page title={profile.data.name} width="grid" hideTitle>
        <div className="flex flex-col gap-5">
          <ProfileHeader profile={profile.data} />
          <AboutPanel profile={profile.data} />
          <Segmented
            label="What to see"
            className="self-center"
            value={list}
            options={lists}
            onChange={(next) =>
              void navigate({
                to: '/profile/$id',
                params: { id },
                search: next === 'posts' ? {} : { show: next },
                replace: true,
                resetScroll: false,
              })
            }
          />
          {list === 'posts' ? <ProfilePosts id={id} /> : <ReviewList ownerId={id} />}
        </div>
      </Page>
    );
  }
  return (
    <Page title="Profile" width="grid" hideTitle>
      {profile.isPending && <ProfileSkeleton />}
      {profile.isError &&
        (isProblem(profile.error, 'profile_not_found') ? (
          <EmptyState
            icon={UserRoundX}
            title={wordsOf('profile_not_found').title}
            text="They may have left, or the address is misspelt."
            action={
              <Link to="/all-users" className={buttonClass()}>
                Find Friends
              </Link>
            }
          />
        ) : (
          <ErrorState
            {...wordsOfFailure(profile.error)}
            retrying={profile.isFetching}
            onRetry={() => void profile.refetch()}
          />
        ))}
    </Page>
  );
}
