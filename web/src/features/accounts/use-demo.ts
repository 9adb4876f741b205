import { queryOf, useOptional } from '../../lib/queries.ts';
import { firstCalls } from './session.ts';

const DEMO_INTERVAL_MS = 10_000;
const FILLING_INTERVAL_MS = 1_500;

/**
 * What the sign-in page offers; null until it is known. Codes of the demo world change every 30 s, and its accounts come
 * one by one while it is created.
 */
export const useDemo = () =>
  useOptional({
    ...queryOf(firstCalls.demo),
    refetchInterval: ({ state: { data } }) =>
      data?.isFilling ? FILLING_INTERVAL_MS : data?.accounts.length ? DEMO_INTERVAL_MS : false,
  });
