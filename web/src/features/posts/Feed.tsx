import { useQueryClient } from '@tanstack/react-query';
import { posts } from '@tara/contract/posts/posts';
import { channel } from '@tara/contract/wire/realtime';
import { ArrowUp } from 'lucide-react';
import {
  Suspense,
  startTransition,
  useDeferredValue,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { call, showErrorToast } from '../../lib/call.ts';
import { readDraft, writeDraftValues } from '../../lib/draft-storage.ts';
import { allItems, useLoadedPages } from '../../lib/queries.ts';
import { useRealtime } from '../../lib/realtime.ts';
import { PersonAvatar } from '../../lib/stored-picture.tsx';
import { Button } from '../../ui/Button.tsx';
import { Field, TextArea } from '../../ui/Field.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { PagedList } from '../../ui/InfiniteList.tsx';
import { lazyPart, whenIdle } from '../../ui/lazy-component.tsx';
import { useSession } from '../accounts/index.ts';
import { feedPages, useFeedPlace } from './feed-place.ts';
import { changePost, quickPostAreaClass, quickPostDraft, receivePost } from './PostActions.tsx';
import { noPosts, PostCard, PostCardSpace, wasCardRendered } from './PostCard.tsx';

/** The cards that are painted first. Those below follow in pieces, which keeps the page responsive meanwhile. */
const FIRST_CARDS = 2;

/** All members' posts by last update, as an endless list. */
export function Feed() {
  const { profile } = useSession();
  const newer = useNewerPosts(profile.id);
  const list = useLoadedPages(feedPages);
  const { items } = list;
  const cards = useRef<HTMLDivElement>(null);
  const hasPlace = useFeedPlace(cards);
  // Back at the feed, the card that was looked at is there at once.
  const isReturning = hasPlace || items.some(({ id }) => wasCardRendered(id));
  const renderedCount = useDeferredValue(items.length, isReturning ? items.length : FIRST_CARDS);
  return (
    <>
      {newer.hasNewer && <NewPosts onShow={newer.show} />}
      <PagedList
        list={list}
        empty={{ illustration: 'lanterns', ...noPosts }}
        ahead={1600}
        end="You have seen all posts."
      >
        {() => (
          <div ref={cards} className="flex flex-col gap-8">
            {items.map((post, index) =>
              index < renderedCount ? (
                <PostCard key={post.id} post={post} eager={index === 0} />
              ) : (
                <PostCardSpace key={post.id} id={post.id} />
              ),
            )}
          </div>
        )}
      </PagedList>
    </>
  );
}

function NewPosts({ onShow }: { onShow: () => Promise<void> }) {
  const [pending, setPending] = useState(false);
  const show = async () => {
    setPending(true);
    try {
      await onShow();
      window.scrollTo({ top: 0 });
    } catch (error) {
      showErrorToast(error, () => void show());
    } finally {
      setPending(false);
    }
  };
  return (
    <div
      role="status"
      className="pointer-events-none sticky top-18 z-20 -mb-5 flex h-0 items-start justify-center md:top-4"
    >
      <Button
        size="sm"
        pending={pending}
        icon={<Icon of={ArrowUp} size={16} />}
        onClick={() => void show()}
        className="pointer-events-auto animate-rise rounded-full! shadow-lift"
      >
        New posts
      </Button>
    </div>
  );
}

/** A feed older than this is compared with the server when it is shown again. */
const FRESH_MS = 30_000;

/** Whether others have posted since the feed was fetched. New posts are behind a button, so that the feed does not jump.
 * `show` loads them.
 */
function useNewerPosts(ownId: string): { hasNewer: boolean; show: () => Promise<void> } {
  const client = useQueryClient();
  const [hasNewer, setHasNewer] = useState(false);
  const pendingRequest = useRef<AbortController>(undefined);

  /** Compares the first page with the feed, because realtime events can be missed. */
  const compareWithServer = async () => {
    const cached = client.getQueryData(feedPages.queryKey);
    if (!cached) return;
    pendingRequest.current?.abort();
    const controller = new AbortController();
    pendingRequest.current = controller;
    try {
      const { items } = await call(posts.feed, { query: {}, signal: controller.signal });
      const ids = new Set(allItems(cached).map(({ id }) => id));
      for (const post of items) if (ids.has(post.id)) changePost(post.id, post);
      setHasNewer(items.some((post) => !ids.has(post.id) && post.creatorId !== ownId));
    } catch {
      // A background check: on failure the feed stays as it is.
    }
  };

  const dataAgeMs = () =>
    Date.now() - (client.getQueryState(feedPages.queryKey)?.dataUpdatedAt ?? Date.now());
  const cancelIdle = useRef<() => void>(undefined);
  const compareWhenIdle = () => {
    cancelIdle.current?.();
    cancelIdle.current = whenIdle(() => void compareWithServer());
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the feed is shown again
  useEffect(() => {
    if (dataAgeMs() > FRESH_MS) void compareWithServer();
    return () => {
      cancelIdle.current?.();
      pendingRequest.current?.abort();
    };
  }, []);

  useRealtime(
    [channel.collection('posts')],
    (event) => {
      if (!receivePost(event) && event.payload.creatorId !== ownId) setHasNewer(true);
    },
    // The first page has just been fetched: the comparison is for what changed until now, and can wait.
    () => (dataAgeMs() > FRESH_MS ? void compareWithServer() : compareWhenIdle()),
  );

  const show = async () => {
    const first = await call(posts.feed, { query: {} });
    client.setQueryData(feedPages.queryKey, { pages: [first], pageParams: [null] });
    setHasNewer(false);
  };
  return { hasNewer, show };
}

// The home screen must not wait for the code that checks forms.
const QuickPostForm = lazyPart(() => import('./QuickPostForm.tsx'));

/** A short post published with the profile picture (§5). Its form is loaded when it is used, or in an idle moment. */
export function QuickPost() {
  const { profile } = useSession();
  const [isWanted, setIsWanted] = useState(() => readDraft(quickPostDraft) !== null);
  const wasFocused = useRef(false);
  // As a transition, the text area stays until the form is there.
  const loadForm = () => startTransition(() => setIsWanted(true));
  const [firstName] = profile.name.split(' ');
  const placeholder = `What’s on your mind, ${firstName}?`;
  return (
    <section aria-label="Quick post" className="flex gap-3">
      <PersonAvatar person={profile} className="mt-0.5" />
      <Suspense fallback={<div className="h-12 flex-1" />}>
        {isWanted ? (
          <QuickPostForm placeholder={placeholder} wasFocused={wasFocused} />
        ) : (
          <FirstTextArea placeholder={placeholder} wasFocused={wasFocused} onWanted={loadForm} />
        )}
      </Suspense>
    </section>
  );
}

export interface QuickPostTextArea {
  placeholder: string;
  /** Whether the text area had the focus when the form took its place. */
  wasFocused: { current: boolean };
}

/** The text area before the form: what is written in it is stored as the draft that the form begins with. */
function FirstTextArea({ placeholder, wasFocused, onWanted }: QuickPostTextArea & { onWanted: () => void }) {
  const area = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = area.current;
    return () => {
      wasFocused.current = element?.contains(document.activeElement) ?? false;
    };
  }, [wasFocused]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once
  useEffect(() => whenIdle(onWanted), []);
  return (
    <div ref={area} className="min-w-0 flex-1">
      <Field label="Quick post" hideLabel lines={0}>
        <TextArea
          rows={1}
          maxRows={8}
          placeholder={placeholder}
          className={quickPostAreaClass}
          onFocus={onWanted}
          onInput={({ currentTarget }) =>
            writeDraftValues({ key: quickPostDraft }, { caption: currentTarget.value })
          }
        />
      </Field>
    </div>
  );
}
