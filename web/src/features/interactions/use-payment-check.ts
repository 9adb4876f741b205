import { useQuery } from '@tanstack/react-query';
import { interactions } from '@tara/contract/interactions';
import { useEffect, useState } from 'react';
import { call } from '../../lib/call.ts';
import { isAbort } from '../../lib/failure.ts';
import { queryOf } from '../../lib/queries.ts';
import { useSession } from '../accounts/index.ts';
import { keepRequest } from './keep-request.ts';

/** Milliseconds between two questions to the provider, and how many are asked before the person decides. */
const EVERY = 3_000;
const TIMES = 10;

/** Looks a payment up for who comes back from the checkout, until it is there or ten questions were in vain. */
export function usePaymentCheck(id: string | undefined) {
  const { account } = useSession();
  const [asked, setAsked] = useState(0);
  const [failed, setFailed] = useState(false);
  // Kept by whoever hears of it first: this check, or the server telling of the provider's own message.
  const { data: request } = useQuery({
    ...queryOf(interactions.interaction, { params: { id: id ?? '' } }),
    enabled: id !== undefined,
  });
  const paid = request?.paid === true;
  const checking = id !== undefined && !paid && !request?.cancelled && !failed && asked < TIMES;
  useEffect(() => {
    if (!checking) return;
    const controller = new AbortController();
    const ask = async () => {
      try {
        const body = { interactionId: id };
        keepRequest(await call(interactions.checkPayment, { body, signal: controller.signal }), account.id);
        setAsked(asked + 1);
      } catch (error) {
        if (!isAbort(error)) setFailed(true);
      }
    };
    const timer = setTimeout(() => void ask(), asked === 0 ? 0 : EVERY);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [checking, asked, id, account.id]);
  const again = () => {
    setFailed(false);
    setAsked(0);
  };
  return { request, paid, checking, again };
}
