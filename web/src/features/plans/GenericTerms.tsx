import { Link } from '@tanstack/react-router';
import { linkClass } from '../../ui/Button.tsx';
import { Collapsible } from '../../ui/facts.tsx';

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
    </Collapsible>
  );
}
