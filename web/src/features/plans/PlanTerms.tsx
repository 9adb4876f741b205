import { Link } from '@tanstack/react-router';
import type { OwnProfile } from '@tara/contract/members/profiles';
import { notices } from '@tara/contract/notices';
import type { planCan } from '@tara/contract/plans/plans';
import { Info } from 'lucide-react';
import type { ReactNode } from 'react';
import { linkClass } from '../../ui/Button.tsx';
import { Collapsible } from '../../ui/facts.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { useSession } from '../accounts/index.ts';

const TERMS = [
  'Meet in a public place, tell someone you trust where you are going, and leave whenever you feel unsafe.',
  'Treat each other with respect. Harassment, threats and anything against the law end the plan and the membership.',
  'Pay only through Tara. The money is held until you have met and an admin has confirmed the plan; then it goes to the creator.',
  'Keep to the time and the conditions of the plan, and tell each other early in its chat when something changes.',
  'Say that the plan is fulfilled only after you have met: it cannot be changed after.',
];

/** The terms for all plans, in addition to the creator's own conditions (§2). */
export function GenericTerms({ open }: { open?: boolean }) {
  return (
    <Collapsible title="Terms for every plan" {...(open ? { open } : {})}>
      <TermsList />
    </Collapsible>
  );
}

/** The terms themselves, with the pages that say more. */
export function TermsList() {
  return (
    <>
      <ul className="ml-5 flex list-disc flex-col gap-2 text-ink-soft">
        {TERMS.map((term) => (
          <li key={term}>{term}</li>
        ))}
      </ul>
      <p className="mt-3 flex flex-wrap gap-x-4 gap-y-1">
        <Link to="/safety" className={linkClass}>
          Meeting safely
        </Link>
        <Link to="/terms" className={linkClass}>
          All terms of Tara
        </Link>
      </p>
    </>
  );
}

/** A notice of §8 that stays on the screen: why an action is not possible, and a link to resolve it. */
export function NoticeBox({ title, text, children }: { title: string; text?: string; children?: ReactNode }) {
  return (
    <div role="note" className="flex items-start gap-3 rounded-card bg-mango-soft p-4">
      <Icon of={Info} className="mt-0.5 text-mango-ink" />
      <div className="min-w-0 wrap-anywhere">
        <p className="font-semibold">{title}</p>
        {text && <p className="text-ink-soft first-letter:uppercase">{text}</p>}
        {children && <div className="mt-2">{children}</div>}
      </div>
    </div>
  );
}

export interface RefusalNotice {
  title: string;
  text?: string;
}

type Refusal = Exclude<ReturnType<typeof planCan.create | typeof planCan.request>, true>;

/** What to say of a refusal: who is not verified yet and sent the request waits for an admin. */
export const refusalNotice = (
  refusal: Refusal,
  { sentVerifiedReq }: Pick<OwnProfile, 'sentVerifiedReq'>,
  usual: RefusalNotice,
): RefusalNotice =>
  refusal === 'plan_creator_unverified' && sentVerifiedReq ? notices.verificationSent : usual;

/** Leads to the verification, which leads back to the plan. */
export const GetVerifiedLink = ({ planId, className }: { planId: string | undefined; className: string }) => (
  <Link to="/verifying-identity" search={planId ? { plan: planId } : {}} className={className}>
    {planId ? 'Get verified to book' : 'Get Verified'}
  </Link>
);

/**
 * Leads to what lifts a refusal: to the verification that was not sent yet, which leads back to the plan, or the birth date
 * (decisions §2).
 */
export function RefusalLink({ verdict, planId }: { verdict: Refusal; planId?: string }) {
  const { profile } = useSession();
  if (verdict === 'plan_creator_unverified') {
    if (profile.sentVerifiedReq) return null;
    return <GetVerifiedLink planId={planId} className={linkClass} />;
  }
  if (verdict !== 'plan_birth_date_missing' && verdict !== 'plan_under_age') return null;
  return (
    <Link to="/update-profile" search={{ tab: 'info' }} className={linkClass}>
      Go to your birth date
    </Link>
  );
}
