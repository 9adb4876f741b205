import type { InteractionList } from '@tara/contract/interactions/interactions';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { allItems, queryClient } from '../../lib/queries.ts';
import { sampleRequest } from '../../testing/samples.ts';
import { stubServer } from '../../testing/stub-server.ts';
import { listPages, refreshManagerLists, upsertInteraction } from './interaction-cache.ts';

const MANAGER = 'GET /api/plan/manager';
const HISTORY = 'GET /api/plan/interactions/history';
const server = stubServer();

const idsIn = (list: InteractionList) =>
  allItems(queryClient.getQueryData(listPages(list).queryKey)).map(({ id }) => id);
const show = (list: InteractionList, ...ids: string[]) =>
  queryClient.setQueryData(listPages(list).queryKey, {
    pages: [{ items: ids.map((id) => sampleRequest({ id })), next: null }],
    pageParams: [null],
  });

describe('a changed request in the lists on screen', () => {
  beforeEach(() => {
    queryClient.clear();
    show('friendRequest', 'older', 'request');
    show('earn', 'scheduled');
  });

  it('keeps its position while its list is the same', () => {
    upsertInteraction(sampleRequest({ paid: true }), 'Ana');
    expect(idsIn('friendRequest')).toEqual(['older', 'request']);
  });
  it('moves to the top of the list it now belongs to', () => {
    upsertInteraction(sampleRequest({ accepted: true }), 'Ana');
    expect(idsIn('friendRequest')).toEqual(['older']);
    expect(idsIn('earn')).toEqual(['request', 'scheduled']);
  });
  it('is inserted first when it is new', () => {
    upsertInteraction(sampleRequest({ id: 'new' }), 'Ana');
    expect(idsIn('friendRequest')).toEqual(['new', 'older', 'request']);
  });
  it('does not create a list that was never fetched', () => {
    upsertInteraction(sampleRequest({ cancelled: true }), 'Ana');
    expect(idsIn('friendRequest')).toEqual(['older']);
    expect(queryClient.getQueryData(listPages('history').queryKey)).toBeUndefined();
  });
  it('does not go back to what it was when an older reply arrives after the event', () => {
    upsertInteraction(sampleRequest({ accepted: true, updatedAt: '2026-11-24T08:00:00.000Z' }), 'Ana');
    upsertInteraction(sampleRequest({ paid: true, updatedAt: '2026-11-24T07:59:59.000Z' }), 'Ana');
    expect([idsIn('friendRequest'), idsIn('earn')]).toEqual([['older'], ['request', 'scheduled']]);
  });
  it('does not go back to what it was when the lists were fetched before the event', async () => {
    const none = { items: [], next: null };
    const lists = { friendRequest: { items: [sampleRequest()], next: null }, earn: none };
    server.answer(MANAGER, 200, { ...lists, yourRequest: none, expense: none });
    server.hold([MANAGER]);
    const refreshed = refreshManagerLists();
    await vi.waitFor(() => expect(server.requests).toHaveLength(1));
    upsertInteraction(sampleRequest({ accepted: true }), 'Ana');
    server.release();
    await refreshed;
    expect([idsIn('friendRequest'), idsIn('earn')]).toEqual([[], ['request']]);
  });
  it('does not go back to what it was when a single list was fetched before the event', async () => {
    server.answer(HISTORY, 200, { items: [sampleRequest()], next: null });
    server.hold([HISTORY]);
    const fetched = queryClient.fetchInfiniteQuery(listPages('history'));
    await vi.waitFor(() => expect(server.requests).toHaveLength(1));
    upsertInteraction(sampleRequest({ accepted: true }), 'Ana');
    server.release();
    await fetched;
    expect(idsIn('history')).toEqual([]);
  });
});
