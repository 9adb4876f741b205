import { getRouteApi, Link } from '@tanstack/react-router';
import type { Person } from '@tara/contract/members/profiles';
import { posts } from '@tara/contract/posts/posts';
import { ArrowLeft, Heart } from 'lucide-react';
import type { ReactNode } from 'react';
import { ForbiddenError, isProblem } from '../../lib/call.ts';
import { loadPage } from '../../lib/load-page.ts';
import { pagesOf, useLoadedPages } from '../../lib/queries.ts';
import { PersonSummary } from '../../lib/stored-picture.tsx';
import { buttonClass } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { PagedList } from '../../ui/InfiniteList.tsx';
import { Page } from '../../ui/Page.tsx';
import { likersIntro } from './skeletons.tsx';

const route = getRouteApi('/_main/post/$id_/likes');

const likerPages = (id: string) => pagesOf(posts.likers, { params: { id } });

/** Loads who likes one's own post. @throws ForbiddenError for another's */
export async function loadLikers(id: string): Promise<void> {
  try {
    await loadPage('/post/:id/likes', { posts }, { id });
  } catch (error) {
    throw isProblem(error, 'user_unauthorized') ? new ForbiddenError() : error;
  }
}

/** `/post/{id}/likes`: the likers of the viewer's own post; others do not see them (decisions §2). */
export function LikersScreen() {
  const { id } = route.useParams();
  const likers = useLoadedPages(likerPages(id));
  return (
    <LikersPage id={id}>
      <PagedList
        list={likers}
        empty={{ icon: Heart, title: 'Nobody likes this post yet', text: 'Who likes it appears here.' }}
      >
        {(people) => (
          <ul className="flex flex-col gap-2">
            {people.map((person) => (
              <li key={person.id}>
                <Liker person={person} />
              </li>
            ))}
          </ul>
        )}
      </PagedList>
    </LikersPage>
  );
}

function LikersPage({ id, children }: { id: string; children: ReactNode }) {
  return (
    <Page
      title="Liked by"
      intro={likersIntro}
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

function Liker({ person }: { person: Person }) {
  return (
    <Link
      to="/profile/$id"
      params={{ id: person.id }}
      className="-mx-3 flex items-center gap-3 rounded-control px-3 py-2 hover:bg-sunken"
    >
      <PersonSummary person={person} nameClass="font-semibold" />
    </Link>
  );
}
