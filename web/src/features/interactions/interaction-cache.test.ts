import type { InteractionList } from '@tara/contract/interactions/interactions';
import { beforeEach, describe, expect, it } from 'vitest';
import { allItems, queryClient } from '../../lib/queries.ts';
import { sampleRequest } from '../../testing/samples.ts';
import { listPages, upsertInteraction } from './interaction-cache.ts';

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
});
