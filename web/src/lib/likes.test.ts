import { QueryObserver } from '@tanstack/react-query';
import { type Post, posts } from '@tara/contract/posts/posts';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { samplePost } from '../testing/samples.ts';
import { problem } from '../testing/stub-server.ts';
import { useToasts } from '../ui/feedback.ts';
import { OfflineError, toProblemError } from './call.ts';
import { createLikes } from './likes.ts';
import { forgetOutboxes, openOutboxes } from './outbox-storage.ts';
import { pagesOf, queryClient, queryOf, setQueryData } from './queries.ts';
import { recordCache } from './record-cache.ts';

/** A call of likes, with the means to end it. */
interface Attempt extends PromiseWithResolvers<{ liked: boolean; totalLikes: number }> {
  sent: string;
}

let attempts: Attempt[] = [];
const cache = recordCache<Post>(posts.get, posts.feed);
const toggleLike = createLikes({
  name: 'sampleLikes',
  cache,
  send(call, id, totalLikes, signal) {
    const attempt = { sent: `${call} ${id} ${totalLikes}`, ...Promise.withResolvers() } as Attempt;
    signal.addEventListener('abort', () => attempt.reject(signal.reason));
    attempts.push(attempt);
    return attempt.promise;
  },
});

const post = { params: { id: 'p1' } };
const store = (part: Partial<Post> = {}) =>
  setQueryData(posts.get, post, samplePost({ totalLikes: 4, ...part }));
const read = () => queryClient.getQueryData<Post>(queryOf(posts.get, post).queryKey);
const shown = () => `${read()?.liked ? 'liked' : 'not liked'} ${read()?.totalLikes}`;
const press = () => toggleLike(read() ?? samplePost());
const sent = () => attempts.map((attempt) => attempt.sent);
const nth = async (index: number) => {
  await vi.waitFor(() => expect(attempts.length).toBeGreaterThan(index));
  return attempts[index] as Attempt;
};
const offline = () => new OfflineError(new TypeError('Failed to fetch'));
const serverIsAway = () => toProblemError(503, '');
/** The only like that waits. */
const waiting = () => {
  const key = Object.keys(localStorage).find((key) => key.startsWith('outbox:'));
  return key === undefined ? undefined : JSON.parse(localStorage.getItem(key) ?? '');
};
/** Likes the post while the server cannot be reached. */
async function likeOffline(error: Error = offline()) {
  press();
  (await nth(0)).reject(error);
  await vi.waitFor(() => expect(waiting()?.state).toBe('retrying'));
}
const comeBack = () => dispatchEvent(new Event('online'));

beforeEach(() => {
  attempts = [];
  useToasts.setState({ queue: [] });
  openOutboxes('Ana');
  store();
});
afterEach(() => {
  forgetOutboxes();
  queryClient.clear();
  vi.restoreAllMocks();
});

test.each([
  ['there is no network', offline],
  ['the server is away behind its proxy', serverIsAway],
])('a like stays and waits while %s, and is sent when it is back', async (_case, error) => {
  await likeOffline(error());
  expect([shown(), useToasts.getState().queue]).toEqual(['liked 5', []]);
  comeBack();
  (await nth(1)).resolve({ liked: true, totalLikes: 9 });
  await vi.waitFor(() => expect([shown(), waiting()]).toEqual(['liked 9', undefined]));
  expect(sent()).toEqual(['like p1 5', 'like p1 5']);
});

test('a refused like that waited is rolled back with a toast, which tries it again', async () => {
  await likeOffline();
  comeBack();
  (await nth(1)).reject(toProblemError(404, JSON.stringify(problem(404, 'post_not_found').body)));
  await vi.waitFor(() => expect([shown(), waiting()]).toEqual(['not liked 4', undefined]));
  const [toast] = useToasts.getState().queue;
  expect(toast).toMatchObject({ title: 'Title of post_not_found' });
  toast?.action?.onPress();
  expect(shown()).toBe('liked 5');
  expect((await nth(2)).sent).toBe('like p1 5');
});

test('a press while a call is pending changes nothing', async () => {
  press();
  await nth(0);
  press();
  expect([shown(), sent()]).toEqual(['liked 5', ['like p1 5']]);
});

test('a press while a like waits changes what is sent', async () => {
  await likeOffline();
  press();
  expect(shown()).toBe('not liked 4');
  comeBack();
  const { sent, resolve } = await nth(1);
  // The first request may have reached the server.
  expect(sent).toBe('unlike p1 4');
  resolve({ liked: false, totalLikes: 4 });
  await vi.waitFor(() => expect(waiting()).toBeUndefined());
});

test('a press while a like that waited is sent again is sent after it', async () => {
  await likeOffline();
  comeBack();
  const again = await nth(1);
  press();
  again.resolve({ liked: true, totalLikes: 6 });
  expect((await nth(2)).sent).toBe('unlike p1 4');
  expect(shown()).toBe('not liked 4');
  attempts[2]?.reject(toProblemError(500, ''));
  await vi.waitFor(() => expect(shown()).toBe('liked 6'));
});

test('a like and its taking back without a network send nothing', async () => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  await likeOffline();
  press();
  expect([shown(), waiting()]).toEqual(['not liked 4', undefined]);
  comeBack();
  press();
  await nth(1);
  expect(sent()).toEqual(['like p1 5', 'like p1 5']);
});

test('a like is shown in data that arrives while it waits, and counts once', async () => {
  await likeOffline();
  const feed = pagesOf(posts.feed).queryKey;
  queryClient.setQueryData(feed, {
    pages: [{ items: [samplePost({ totalLikes: 7 }), samplePost({ id: 'p2', totalLikes: 2 })], next: null }],
    pageParams: [null],
  });
  const items = queryClient.getQueryData(feed)?.pages[0]?.items;
  expect(items?.map(({ liked, totalLikes }) => [liked, totalLikes])).toEqual([
    [true, 8],
    [false, 2],
  ]);
  // As the server has it.
  store({ liked: true, totalLikes: 12 });
  expect(shown()).toBe('liked 12');
});

test('a reply that was asked for before the like does not take it back', async () => {
  const { promise, resolve } = Promise.withResolvers<Post>();
  const { queryKey } = queryOf(posts.get, post);
  queryClient.removeQueries({ queryKey });
  const stop = new QueryObserver(queryClient, { queryKey, queryFn: () => promise }).subscribe(() => {});
  toggleLike(samplePost({ totalLikes: 4 }));
  resolve(samplePost({ totalLikes: 4 }));
  await vi.waitFor(() => expect(shown()).toBe('liked 5'));
  stop();
});

test('the next load without a network shows a waiting like on stored data, and sends it later', async () => {
  await likeOffline();
  // The page is loaded again: memory is empty, and stored data comes before and after the account is known.
  openOutboxes(null);
  queryClient.clear();
  store();
  expect(shown()).toBe('not liked 4');
  openOutboxes('Ana');
  expect(shown()).toBe('liked 5');
  queryClient.clear();
  store();
  expect(shown()).toBe('liked 5');
  (await nth(1)).resolve({ liked: true, totalLikes: 5 });
  await vi.waitFor(() => expect(waiting()).toBeUndefined());
});

test('another account sees and sends nothing of it', async () => {
  await likeOffline();
  openOutboxes('Ben');
  store();
  expect(shown()).toBe('not liked 4');
  comeBack();
  toggleLike(samplePost({ id: 'p2' }));
  expect((await nth(1)).sent).toBe('like p2 1');
});

test('an event with a total that may lack a like does not change its count', async () => {
  await likeOffline();
  const event = { events: ['x.update'], payload: { id: 'p1', totalLikes: 7 }, channels: [] };
  const schema = { safeParse: (payload: unknown) => ({ data: payload as Partial<Post> }) };
  cache.receive(event as unknown as Parameters<typeof cache.receive>[0], schema);
  expect(shown()).toBe('liked 5');
});
