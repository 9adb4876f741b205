import { Link } from '@tanstack/react-router';
import { empty } from '@tara/contract/notices';
import { Handshake } from 'lucide-react';
import { buttonClass } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { useSession } from '../accounts/index.ts';

/** 'No Current Request' (§8): what would stand here, and how to get there. */
export function NoRequests({ text, next }: { text: string; next: 'people' | 'plans' }) {
  const { profile } = useSession();
  const look = buttonClass({ variant: 'secondary' });
  return (
    <EmptyState
      icon={Handshake}
      title={empty.requests}
      text={text}
      className="py-6!"
      action={
        next === 'people' ? (
          <Link to="/all-users" className={look}>
            Find friends and their plans
          </Link>
        ) : (
          <Link to="/profile/plans/$id" params={{ id: profile.id }} className={look}>
            Your plans
          </Link>
        )
      }
    />
  );
}
