import type { InteractionList } from '@tara/contract/interactions';
import { beforeEach, describe, expect, it } from 'vitest';
import { allItems, queryClient } from '../../lib/queries.ts';
import { keepRequest, listPages } from './keep-request.ts';
import { requestOf } from './testing.ts';

const idsIn = (list: InteractionList) =>
  allItems(queryClient.getQueryData(listPages(list).queryKey)).map(({ id }) => id);
const show = (list: InteractionList, ...ids: string[]) =>
  queryClient.setQueryData(listPages(list).queryKey, {
    pages: [{ items: ids.map((id) => requestOf({ id })), next: null }],
    pageParams: [null],
  });

describe('a changed request in the lists on screen', () => {
  beforeEach(() => {
    queryClient.clear();
    show('friendRequest', 'older', 'request');
    show('earn', 'scheduled');
  });

  it('stays where it stands while its list is the same', () => {
    keepRequest(requestOf({ paid: true }), 'Ana');
    expect(idsIn('friendRequest')).toEqual(['older', 'request']);
  });
  it('moves to the top of the list it now belongs to', () => {
    keepRequest(requestOf({ accepted: true }), 'Ana');
    expect(idsIn('friendRequest')).toEqual(['older']);
    expect(idsIn('earn')).toEqual(['request', 'scheduled']);
  });
  it('comes in first when it is new', () => {
    keepRequest(requestOf({ id: 'new' }), 'Ana');
    expect(idsIn('friendRequest')).toEqual(['new', 'older', 'request']);
  });
  it('does not begin a list that was never fetched', () => {
    keepRequest(requestOf({ cancelled: true }), 'Ana');
    expect(idsIn('friendRequest')).toEqual(['older']);
    expect(queryClient.getQueryData(listPages('history').queryKey)).toBeUndefined();
  });
});
