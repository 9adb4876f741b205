import { QueryClientProvider, useQuery } from '@tanstack/react-query';
import { accounts } from '@tara/contract/accounts/accounts';
import { posts } from '@tara/contract/posts/posts';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { forgetOutboxes, openOutboxes } from '../../lib/outbox-storage.ts';
import { queryClient, queryOf, setQueryData } from '../../lib/queries.ts';
import { samplePerson, samplePicture, samplePost, sampleSession } from '../../testing/samples.ts';
import { useToasts } from '../../ui/feedback.ts';
import { PostActions, receivePost, ShareButton, useDoubleTapLike } from './PostActions.tsx';

function ShownPost() {
  const { data } = useQuery({ ...queryOf(posts.get, { params: { id: 'p1' } }), enabled: false });
  return data ? <PostActions post={data} /> : null;
}

test('an event changes every field of a post that is the same for all viewers, and not what is the viewer’s own', () => {
  const changed = samplePost({
    ...{ caption: 'Sunset', location: 'Cebu', tags: ['sea'], totalLikes: 9, usedDp: true },
    ...{ creator: samplePerson('Ana Cruz'), picture: { ...samplePicture, alt: 'The sea' } },
    updatedAt: '2026-03-04T05:06:07.000+00:00',
  });
  const own = { liked: true, saved: true };
  const address = { params: { id: changed.id } };
  setQueryData(posts.get, address, samplePost(own));
  const events = [`databases.tara.collections.posts.documents.${changed.id}.update`];
  expect(receivePost({ events, payload: changed, channels: [], timestamp: changed.updatedAt })).toBe(true);
  expect(queryClient.getQueryData(queryOf(posts.get, address).queryKey)).toEqual({ ...changed, ...own });
  queryClient.clear();
});

describe('PostActions', () => {
  let answer: PromiseWithResolvers<Response>;
  const fetchMock = vi.fn((_address: string, _init?: RequestInit) => answer.promise);
  const reply = (status: number, body: object) =>
    answer.resolve(new Response(JSON.stringify(body), { status }));

  beforeEach(() => {
    openOutboxes('Ana');
    answer = Promise.withResolvers();
    fetchMock.mockClear();
    vi.stubGlobal('fetch', fetchMock);
    useToasts.setState({ queue: [] });
    setQueryData(posts.get, { params: { id: 'p1' } }, samplePost({ totalLikes: 4 }));
    render(
      <QueryClientProvider client={queryClient}>
        <ShownPost />
      </QueryClientProvider>,
    );
  });
  afterEach(() => {
    cleanup();
    forgetOutboxes();
    queryClient.clear();
    vi.unstubAllGlobals();
  });

  const press = (name: RegExp) => fireEvent.click(screen.getByRole('button', { name }));

  const sent = () => fetchMock.mock.calls.map(([address, init]) => [address, JSON.parse(String(init?.body))]);

  test('liking raises the displayed count at once (§4-like)', async () => {
    press(/^Like/);
    await screen.findByRole('button', { name: 'Like, 5 likes', pressed: true });
  });

  test('unliking lowers the displayed count at once (§4-unlike)', async () => {
    setQueryData(posts.get, { params: { id: 'p1' } }, samplePost({ totalLikes: 4, liked: true }));
    await screen.findByRole('button', { name: 'Like, 4 likes', pressed: true });
    press(/^Like/);
    await screen.findByRole('button', { name: 'Like, 3 likes', pressed: false });
    await vi.waitFor(() => expect(sent()[0]?.[0]).toContain(posts.unlike.path));
  });

  test('clicks are ignored while a like is pending (§4-like-pending)', async () => {
    press(/^Like/);
    await screen.findByRole('button', { name: 'Like, 5 likes', pressed: true });
    press(/^Like/);
    await vi.waitFor(() => expect(fetchMock).toHaveBeenCalledTimes(1));
    screen.getByRole('button', { name: 'Like, 5 likes', pressed: true });
    reply(200, { status: 'ok', totalLikes: 9, liked: true });
    await screen.findByRole('button', { name: 'Like, 9 likes', pressed: true });
    expect(fetchMock).toHaveBeenCalledTimes(1);
  });

  test('clicks are ignored while an unlike is pending (§4-unlike-pending)', async () => {
    setQueryData(posts.get, { params: { id: 'p1' } }, samplePost({ totalLikes: 4, liked: true }));
    await screen.findByRole('button', { name: 'Like, 4 likes', pressed: true });
    press(/^Like/);
    await screen.findByRole('button', { name: 'Like, 3 likes', pressed: false });
    press(/^Like/);
    await vi.waitFor(() => expect(fetchMock).toHaveBeenCalledTimes(1));
    reply(200, { status: 'ok', totalLikes: 3, liked: false });
    await screen.findByRole('button', { name: 'Like, 3 likes', pressed: false });
    expect(fetchMock).toHaveBeenCalledTimes(1);
  });

  test('a post that the lookup found liked is so at first (§4-like-initial)', async () => {
    screen.getByRole('button', { name: 'Like, 4 likes', pressed: false });
    setQueryData(posts.get, { params: { id: 'p1' } }, samplePost({ totalLikes: 4, liked: true }));
    await screen.findByRole('button', { name: 'Like, 4 likes', pressed: true });
  });

  test('the server is sent the new total (§4-like-total)', async () => {
    press(/^Like/);
    await vi.waitFor(() =>
      expect(sent()).toEqual([[expect.stringContaining(posts.like.path), { postId: 'p1', totalLikes: 5 }]]),
    );
  });

  test('a refused like is rolled back and reported (§8-like-failure, §8-call-failure)', async () => {
    press(/^Like/);
    await screen.findByRole('button', { name: 'Like, 5 likes' });
    reply(500, {});
    await screen.findByRole('button', { name: 'Like, 4 likes', pressed: false });
    expect(useToasts.getState().queue).toMatchObject([
      { title: 'Something went wrong', action: { label: 'Try again' } },
    ]);
  });

  test('the save button shows a saved icon after the save call (§4-save)', async () => {
    const iconFill = () =>
      screen.getByRole('button', { name: /^Save/ }).querySelector('svg')?.getAttribute('fill');
    expect(iconFill()).toBe('none');
    press(/^Save/);
    reply(200, { status: 'ok', saved: true });
    await vi.waitFor(() => expect(fetchMock).toHaveBeenCalledTimes(1));
    await screen.findByRole('button', { name: 'Saved', pressed: true });
    expect(iconFill()).toBe('currentColor');
  });

  test('a post that was saved before stays saved, and says so (§8-duplicate-save)', async () => {
    press(/^Save/);
    await screen.findByRole('button', { name: 'Saved', pressed: true });
    const title = 'You already saved this post';
    reply(409, { message: title, code: 409, type: 'post_already_saved', version: '1', title });
    await vi.waitFor(() => expect(useToasts.getState().queue).toMatchObject([{ title }]));
    screen.getByRole('button', { name: 'Saved' });
  });

  test('a saved post is taken off the saved ones at once, and back on when that is refused', async () => {
    setQueryData(posts.get, { params: { id: 'p1' } }, samplePost({ saved: true }));
    fireEvent.click(await screen.findByRole('button', { name: 'Saved', pressed: true }));
    await screen.findByRole('button', { name: 'Save', pressed: false });
    await vi.waitFor(() => expect(fetchMock.mock.calls[0]?.[0]).toContain(posts.unsave.path));
    reply(500, {});
    await screen.findByRole('button', { name: 'Saved', pressed: true });
  });
});

describe('ShareButton', () => {
  const url = () => `${location.origin}/post/p1`;
  const newestToast = () => useToasts.getState().queue.at(-1);
  const writeText = vi.fn<(text: string) => Promise<void>>();

  /** Presses Share in a browser that has these functions, as a member of this id. */
  function press(system: object, { id = 'Ben', sharesPosts = false } = {}) {
    vi.stubGlobal('navigator', { clipboard: { writeText }, ...system });
    setQueryData(accounts.session, {}, sampleSession(id, { profile: { sharesPosts } }));
    vi.spyOn(queryClient, 'prefetchQuery').mockResolvedValue();
    render(<ShareButton post={samplePost({ creatorId: 'Ana' })} />);
    fireEvent.click(screen.getByRole('button', { name: 'Share' }));
  }

  beforeEach(() => {
    useToasts.setState({ queue: [] });
    writeText.mockReset().mockResolvedValue();
  });
  afterEach(() => {
    cleanup();
    queryClient.clear();
    vi.restoreAllMocks();
    vi.unstubAllGlobals();
  });

  test('the link goes to the system’s own sheet where there is one', async () => {
    const share = vi.fn().mockResolvedValue(undefined);
    press({ canShare: () => true, share });
    await vi.waitFor(() => expect(share).toHaveBeenCalledWith({ title: 'A post on Tara', url: url() }));
    expect(writeText).not.toHaveBeenCalled();
  });

  test('a closed sheet copies nothing; one that fails does not keep the link from being copied', async () => {
    const share = vi.fn().mockRejectedValue(new DOMException('', 'AbortError'));
    press({ canShare: () => true, share });
    await vi.waitFor(() => expect(share).toHaveBeenCalled());
    expect(writeText).not.toHaveBeenCalled();
    cleanup();
    press({
      canShare: () => true,
      share: async () => Promise.reject(new DOMException('', 'NotAllowedError')),
    });
    await vi.waitFor(() => expect(newestToast()?.title).toBe('The link is copied.'));
  });

  test('elsewhere it is copied, and a toast says so', async () => {
    press({});
    await vi.waitFor(() => expect(newestToast()).toMatchObject({ title: 'The link is copied.' }));
    expect(writeText).toHaveBeenCalledWith(url());
    expect(newestToast()?.text).toBeUndefined();
  });

  test('the creator reads that others see nothing of it, unless posts are shown in shared links', async () => {
    press({}, { id: 'Ana' });
    await vi.waitFor(() => expect(newestToast()?.text).toContain('sees nothing of your post'));
    cleanup();
    press({}, { id: 'Ana', sharesPosts: true });
    await vi.waitFor(() => expect(useToasts.getState().queue).toHaveLength(2));
    expect(newestToast()?.text).toBeUndefined();
  });

  test('a link that cannot be copied is shown', async () => {
    writeText.mockRejectedValue(new DOMException('', 'NotAllowedError'));
    press({});
    await vi.waitFor(() =>
      expect(newestToast()).toMatchObject({ title: 'The link could not be copied.', text: url() }),
    );
  });
});

function ShownPicture({ liked, single }: { liked: boolean; single: () => void }) {
  const { handlers, heart } = useDoubleTapLike(samplePost({ liked }), single);
  return (
    <button type="button" {...handlers}>
      picture {heart && 'with a heart'}
    </button>
  );
}

describe('useDoubleTapLike', () => {
  const single = vi.fn();
  const fetchMock = vi.fn((_address: string) => new Promise<Response>(() => {}));

  const show = (liked: boolean) =>
    render(
      <QueryClientProvider client={queryClient}>
        <ShownPicture liked={liked} single={single} />
      </QueryClientProvider>,
    );
  const press = (pointerType: string) => {
    const picture = screen.getByRole('button');
    fireEvent.pointerDown(picture, { pointerType });
    fireEvent.click(picture, { detail: 1 });
  };

  beforeEach(() => vi.stubGlobal('fetch', fetchMock));
  afterEach(() => {
    cleanup();
    forgetOutboxes();
    single.mockClear();
    fetchMock.mockClear();
    vi.unstubAllGlobals();
  });

  test('a double tap likes, shows a heart and opens nothing', async () => {
    show(false);
    press('touch');
    press('touch');
    await screen.findByText(/with a heart/);
    await vi.waitFor(() => expect(fetchMock.mock.calls[0]?.[0]).toContain('/like'));
    await vi.waitFor(() => expect(screen.queryByText(/with a heart/)).toBeNull());
    expect(single).not.toHaveBeenCalled();
  });

  test('a double tap on a liked post does not take the like back', async () => {
    show(true);
    press('touch');
    press('touch');
    await screen.findByText(/with a heart/);
    expect(fetchMock).not.toHaveBeenCalled();
  });

  test('a tap waits for a second one; a mouse and a key do not', async () => {
    show(false);
    press('touch');
    expect(single).not.toHaveBeenCalled();
    await vi.waitFor(() => expect(single).toHaveBeenCalledOnce());
    press('mouse');
    expect(single).toHaveBeenCalledTimes(2);
    fireEvent.click(screen.getByRole('button'), { detail: 0 });
    expect(single).toHaveBeenCalledTimes(3);
    expect(fetchMock).not.toHaveBeenCalled();
  });
});
