import { type Interaction, type InteractionList, partyOf } from '@tara/contract/interactions';

type State = Pick<
  Interaction,
  'accepted' | 'userSetDone' | 'cancelled' | 'clientAccountId' | 'creatorAccountId'
>;

/** The list of §2 and §4 a request stands in for one of its parties; null for anybody else. */
export function listOf(request: State, accountId: string): InteractionList | null {
  const side = partyOf(request, accountId);
  if (side === 'other') return null;
  if (request.userSetDone || request.cancelled) return 'history';
  if (side === 'creator') return request.accepted ? 'earn' : 'friendRequest';
  return request.accepted ? 'expense' : 'yourRequest';
}
