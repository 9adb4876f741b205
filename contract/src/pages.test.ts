import { expect, it } from 'vitest';
import { allCalls } from './all.ts';
import { type PagePath, pages, resolveReads } from './pages.ts';

it.each(Object.keys(pages) as PagePath[])('every read of %s has its parameters, and reads', (path) => {
  // Any value for each name.
  const values = new Proxy(
    {},
    { get: (_, name) => (path.includes(`:${String(name)}`) ? 'value' : undefined) },
  );
  const reads = resolveReads(path, allCalls, values, { mixId: 'pair' });
  expect(reads).toHaveLength(pages[path].reads.length);
  for (const { call } of reads) expect(call.method).toBe('GET');
});

it('a read takes the parameters of its page, fixed ones, or those of the search', () => {
  expect(resolveReads('/post/:id', allCalls, { id: 'p1' })).toEqual([
    { call: allCalls.posts.get, params: { id: 'p1' } },
  ]);
  expect(resolveReads('/profile/history/:id', allCalls, { id: 'ana' })).toEqual([
    { call: allCalls.interactions.interactionList, params: { list: 'history' } },
  ]);
  expect(resolveReads('/profile/:id', allCalls, { id: 'ana' }).at(-1)).toEqual({
    call: allCalls.plans.byCreator,
    params: { id: 'ana' },
    isOptional: true,
  });
  expect(resolveReads('/', allCalls)).toEqual([{ call: allCalls.posts.feed }]);
  const conversation = (search: Record<string, string>) =>
    resolveReads('/chats/:id', allCalls, { id: 'c1' }, search);
  expect(conversation({ mixId: 'a-b' })).toEqual([
    { call: allCalls.conversations.conversation, params: { mixId: 'a-b' }, query: { pages: 10 } },
  ]);
  expect(conversation({})).toEqual([]);
});
