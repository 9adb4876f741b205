import { useQuery } from '@tanstack/react-query';
import { queryOf } from '../../lib/queries.ts';
import { firstCalls } from '../accounts/index.ts';

/** The unread messages of each plan chat that has some, by its id. The shell reads them and keeps them true. */
export function useUnreadReceipts(): ReadonlyMap<string, number> {
  const { data } = useQuery({ ...queryOf(firstCalls.unread), enabled: false });
  return new Map(data?.receiptChats.map(({ id, unread }) => [id, unread]));
}
