import { QueryClientProvider, useQuery } from '@tanstack/react-query';
import { posts } from '@tara/contract/posts';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { queryClient, queryOf, setQueryDataOf } from '../../lib/queries.ts';
import { samplePost } from '../../testing/samples.ts';
import { useToasts } from '../../ui/feedback.ts';
import { PostActions } from './PostActions.tsx';

let answer: PromiseWithResolvers<Response>;
const fetchMock = vi.fn((_address: string) => answer.promise);
const reply = (status: number, body: object) =>
  answer.resolve(new Response(JSON.stringify(body), { status }));

function Shown() {
  const { data } = useQuery({ ...queryOf(posts.get, { params: { id: 'p1' } }), enabled: false });
  return data ? <PostActions post={data} /> : null;
}

beforeEach(() => {
  answer = Promise.withResolvers();
  fetchMock.mockClear();
  vi.stubGlobal('fetch', fetchMock);
  useToasts.setState({ queue: [] });
  setQueryDataOf(posts.get, { params: { id: 'p1' } }, samplePost({ totalLikes: 4 }));
  render(
    <QueryClientProvider client={queryClient}>
      <Shown />
    </QueryClientProvider>,
  );
});
afterEach(() => {
  cleanup();
  queryClient.clear();
  vi.unstubAllGlobals();
});

const press = (name: RegExp) => fireEvent.click(screen.getByRole('button', { name }));

test('a like shows at once, ignores presses while it is under way, and takes the server’s count (§4-like)', async () => {
  press(/^Like/);
  await screen.findByRole('button', { name: 'Like, 5 likes', pressed: true });
  press(/^Like/);
  await vi.waitFor(() => expect(fetchMock).toHaveBeenCalledTimes(1));
  reply(200, { status: 'ok', totalLikes: 9, liked: true });
  await screen.findByRole('button', { name: 'Like, 9 likes', pressed: true });
});

test('a refused like is rolled back and reported (§8-call-failure)', async () => {
  press(/^Like/);
  await screen.findByRole('button', { name: 'Like, 5 likes' });
  reply(500, {});
  await screen.findByRole('button', { name: 'Like, 4 likes', pressed: false });
  expect(useToasts.getState().queue).toMatchObject([
    { title: 'Something went wrong', action: { label: 'Try again' } },
  ]);
});

test('a post that was saved before stays saved, and says so (§8-duplicate-save, §4-save)', async () => {
  press(/^Save/);
  await screen.findByRole('button', { name: 'Saved', pressed: true });
  const title = 'You already saved this post';
  reply(409, { message: title, code: 409, type: 'post_already_saved', version: '1', title });
  await vi.waitFor(() => expect(useToasts.getState().queue).toMatchObject([{ title }]));
  screen.getByRole('button', { name: 'Saved' });
});

test('a saved post is taken off the saved ones at once, and back on when that is refused (§4-save)', async () => {
  setQueryDataOf(posts.get, { params: { id: 'p1' } }, samplePost({ saved: true }));
  fireEvent.click(await screen.findByRole('button', { name: 'Saved', pressed: true }));
  await screen.findByRole('button', { name: 'Save', pressed: false });
  await vi.waitFor(() => expect(fetchMock.mock.calls[0]?.[0]).toContain(posts.unsave.path));
  reply(500, {});
  await screen.findByRole('button', { name: 'Saved', pressed: true });
});
