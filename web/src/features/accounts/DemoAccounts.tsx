import { useQuery } from '@tanstack/react-query';
import type { DemoAccount } from '@tara/contract/accounts';
import { queryOf } from '../../lib/queries.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { Spinner } from '../../ui/Spinner.tsx';
import { firstCalls } from './first-calls.ts';

interface DemoAccountsProps {
  /** E-mail of the account that is signing in, null when none is. */
  busyWith: string | null;
  onChoose: (account: DemoAccount) => void;
}

/** Where there is a demo world: its people, to sign in as with one tap. Nothing elsewhere. */
export function DemoAccounts({ busyWith, onChoose }: DemoAccountsProps) {
  const { data } = useQuery({ ...queryOf(firstCalls.demo), staleTime: Number.POSITIVE_INFINITY });
  if (!data || data.accounts.length === 0) return null;
  return (
    <section aria-labelledby="demo-accounts" className="border-t border-line pt-5">
      <h2 id="demo-accounts" className="font-semibold">
        Look around as
      </h2>
      <ul className="mt-2 flex flex-col gap-1">
        {data.accounts.map((account) => (
          <li key={account.email}>
            <button
              type="button"
              aria-disabled={busyWith !== null}
              onClick={() => busyWith === null && onChoose(account)}
              className="flex min-h-11 w-full items-center gap-3 rounded-control p-2 text-left hover:bg-sunken"
            >
              <Avatar name={account.name} size="md" />
              <span className="min-w-0 flex-1">
                <span className="block font-medium">{account.name}</span>
                <span className="block text-sm text-ink-soft">{account.about}</span>
              </span>
              {busyWith === account.email && <Spinner className="text-ink-soft" />}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
