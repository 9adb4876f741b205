import { getRouteApi, Link } from '@tanstack/react-router';
import { urlAtWidth } from '@tara/contract/files';
import { pageSize } from '@tara/contract/limits';
import { posts } from '@tara/contract/posts';
import type { Person } from '@tara/contract/profiles';
import { ArrowLeft, Heart } from 'lucide-react';
import type { ReactNode } from 'react';
import { ForbiddenError, isProblem } from '../../lib/failure.ts';
import { pagesOf, queryClient, useLoadedPages } from '../../lib/queries.ts';
import { buttonClass } from '../../ui/Button.tsx';
import { PersonName } from '../../ui/facts.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { InfiniteList } from '../../ui/InfiniteList.tsx';
import { Card, EmptyState, Page, Skeleton, Skeletons } from '../../ui/Page.tsx';
import { Avatar } from '../../ui/Picture.tsx';

const route = getRouteApi('/_main/post/$id_/likes');

const likerPages = (id: string) => pagesOf(posts.likers, { params: { id } });

/** Loads who likes one's own post. @throws ForbiddenError for another's */
export async function loadLikers(id: string) {
  try {
    return await queryClient.ensureInfiniteQueryData(likerPages(id));
  } catch (error) {
    throw isProblem(error, 'user_unauthorized') ? new ForbiddenError() : error;
  }
}

/** `/post/{id}/likes`: who likes one's own post; others do not see them (decisions §2). */
export function LikersScreen() {
  const { id } = route.useParams();
  const { items, more } = useLoadedPages(likerPages(id));
  return (
    <LikersPage id={id}>
      {items.length === 0 ? (
        <EmptyState icon={Heart} title="Nobody likes this post yet" text="Who likes it appears here." />
      ) : (
        <InfiniteList {...more}>
          <ul className="flex flex-col gap-2">
            {items.map((person) => (
              <li key={person.id}>
                <Liker person={person} />
              </li>
            ))}
          </ul>
        </InfiniteList>
      )}
    </LikersPage>
  );
}

function LikersPage({ id, children }: { id: string; children: ReactNode }) {
  return (
    <Page
      title="Liked by"
      intro="Only you see who likes your post."
      width="form"
      actions={
        <Link to="/post/$id" params={{ id }} className={`${buttonClass({ variant: 'ghost' })} max-sm:-ml-4`}>
          <Icon of={ArrowLeft} />
          Back to the post
        </Link>
      }
    >
      {children}
    </Page>
  );
}

function Liker({ person: { id, name, username, picture, verified } }: { person: Person }) {
  return (
    <Link to="/profile/$id" params={{ id }} className="block rounded-card">
      <Card interactive padding="sm" className="flex items-center gap-3">
        <Avatar name={name} src={urlAtWidth(picture.imageUrl, 96)} />
        <span className="min-w-0">
          <PersonName person={{ name, verified }} className="font-semibold" />
          <span className="block truncate text-sm text-ink-soft">@{username}</span>
        </span>
      </Card>
    </Link>
  );
}

/** The skeleton of the screen. */
export function LikersSkeleton() {
  const { id } = route.useParams();
  return (
    <LikersPage id={id}>
      <Skeletons count={pageSize.likers} label="Loading people" className="flex flex-col gap-2">
        {() => (
          <Card padding="sm" className="flex items-center gap-3">
            <Skeleton shape="circle" width={40} />
            <div className="flex-1">
              <Skeleton width="40%" />
              <Skeleton width="25%" />
            </div>
          </Card>
        )}
      </Skeletons>
    </LikersPage>
  );
}
