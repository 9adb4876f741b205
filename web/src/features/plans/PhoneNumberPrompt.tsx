import { Link } from '@tanstack/react-router';
import { Phone } from 'lucide-react';
import { Icon } from '../../ui/Icon.tsx';
import { linkClass } from '../../ui/TextLink.tsx';

/** A payout goes to the creator's phone number, so one without it is asked for it (§6). */
export function PhoneNumberPrompt() {
  return (
    <p className="mb-5 flex items-start gap-3 rounded-card bg-mango-soft p-4">
      <Icon of={Phone} className="mt-0.5 text-mango-ink" />
      <span>
        To receive the payment for your plans, Tara needs your phone number.{' '}
        <Link to="/update-profile" className={linkClass}>
          Add your phone number
        </Link>
      </span>
    </p>
  );
}
