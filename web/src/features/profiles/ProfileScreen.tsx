import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { type Profile, profiles } from '@tara/contract/members/profiles';
import { empty } from '@tara/contract/notices';
import type { PageOf } from '@tara/contract/page';
import { type Plan, plans as plansCalls } from '@tara/contract/plans/plans';
import { posts } from '@tara/contract/posts/posts';
import { UserMinus } from 'lucide-react';
import { Suspense } from 'react';
import { pagesOf, queryOf, useCall, useLoaded, useLoadedPages, useOptional } from '../../lib/queries.ts';
import { Button, buttonClass } from '../../ui/Button.tsx';
import { confirm, toast } from '../../ui/feedback.ts';
import { Icon } from '../../ui/Icon.tsx';
import { PagedList } from '../../ui/InfiniteList.tsx';
import { Page } from '../../ui/Page.tsx';
import { Segmented } from '../../ui/Segmented.tsx';
import { useSession } from '../accounts/index.ts';
import { MutedNotice } from '../blocks/index.ts';
import { NextPlan } from '../plans/index.ts';
import { PostGrid } from '../posts/index.ts';
import { ReviewList } from '../reviews/index.ts';
import { ReviewListSkeleton } from '../reviews/skeletons.tsx';
import { PeopleGrid } from './PeopleScreen.tsx';
import { AboutPanel, ProfileHeader } from './ProfileHeader.tsx';
import { PersonCardSkeletons, ProfilePostsSkeleton } from './skeletons.tsx';

const lists = [
  { value: 'posts', label: 'Posts' },
  { value: 'reviews', label: 'Reviews' },
] as const;

/** The friend list is on one's own profile alone (§6). */
const ownLists = [...lists, { value: 'friends', label: 'Friends' }] as const;
type ListName = (typeof ownLists)[number]['value'];

const route = getRouteApi('/_main/profile/$id');

export const profileQuery = (id: string) => queryOf(profiles.get, { params: { id } });
/** The plans of a member; the profile shows the newest, and is whole without them. */
export const profilePlansQuery = (id: string) => queryOf(plansCalls.byCreator, { params: { id } });

const countPlans = (plans: PageOf<Plan> | null): string =>
  plans === null ? '–' : `${plans.items.length}${plans.next === null ? '' : '+'}`;

const profilePostsPages = (id: string) => pagesOf(posts.byCreator, { params: { id } });

/** `/profile/{id}` (§2), for its owner and for others, with different actions. */
export function ProfileScreen() {
  const { id } = route.useParams();
  const { show } = route.useSearch();
  const navigate = useNavigate();
  const profile = useLoaded(profileQuery(id));
  const plans = useOptional(profilePlansQuery(id));
  const next = plans?.items.find(({ closedAt }) => closedAt === null);
  const options = useSession().profile.id === id ? ownLists : lists;
  const list: ListName = options.find(({ value }) => value === show)?.value ?? 'posts';
  return (
    <Page title={profile.name} width="grid" hideTitle>
      <div className="flex flex-col gap-6">
        <ProfileHeader profile={profile} plans={countPlans(plans)} />
        {profile.muted && <MutedNotice member={profile} />}
        <AboutPanel profile={profile} />
        {next && <NextPlan plan={next} />}
        <Segmented
          label="What to see"
          className="self-start max-sm:w-full"
          value={list}
          options={options}
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
        <Suspense fallback={listSkeletons[list]}>
          {list === 'posts' && <ProfilePosts id={id} />}
          {list === 'reviews' && <ReviewList ownerId={id} />}
          {list === 'friends' && <FriendList />}
        </Suspense>
      </div>
    </Page>
  );
}

const listSkeletons = {
  posts: <ProfilePostsSkeleton />,
  reviews: <ReviewListSkeleton />,
  friends: <PersonCardSkeletons />,
};

/** One member's posts, newest first. */
function ProfilePosts({ id }: { id: string }) {
  const { profile } = useSession();
  const own = id === profile.id;
  return (
    <PagedList
      list={useLoadedPages(profilePostsPages(id))}
      empty={{
        illustration: 'lanterns',
        title: empty.posts,
        text: own ? 'What you share appears here.' : 'What they share appears here.',
        action: own && (
          <Link to="/create-post" className={buttonClass()}>
            Create Post
          </Link>
        ),
      }}
    >
      {(posts) => <PostGrid posts={posts} />}
    </PagedList>
  );
}

export const friendPages = pagesOf(profiles.friends);

/** The viewer's own friends, the newest first, each of whom can be removed (§6). */
export function FriendList() {
  return (
    <PagedList
      list={useLoadedPages(friendPages)}
      empty={{
        illustration: 'together',
        title: empty.friends,
        text: 'You become friends when a request for a plan is accepted, yours or theirs.',
        action: (
          <Link to="/all-users" className={buttonClass()}>
            Find Friends
          </Link>
        ),
      }}
    >
      {(friends) => <PeopleGrid people={friends} action={(person) => <RemoveFriend person={person} />} />}
    </PagedList>
  );
}

function RemoveFriend({ person: { id, name } }: { person: Profile }) {
  const remove = useCall(profiles.removeFriend, {
    invalidates: [profiles.friends],
    onSuccess: () => {
      toast({ title: `${name} is no longer on your friend list.`, tone: 'success' });
    },
  });
  const ask = async () => {
    const isConfirmed = await confirm({
      title: `Remove ${name}?`,
      text: 'You stay on their list, and they are not told. You become friends again when another request is accepted.',
      confirmLabel: 'Remove',
      tone: 'danger',
    });
    if (isConfirmed) remove.mutate({ body: { friendId: id } });
  };
  return (
    <Button
      variant="secondary"
      size="sm"
      icon={<Icon of={UserMinus} size={16} />}
      pending={remove.isPending}
      aria-label={`Remove ${name} from your friends`}
      onClick={() => void ask()}
    >
      Remove
    </Button>
  );
}
