import { LockKeyhole } from 'lucide-react';
import { Icon } from '../../ui/Icon.tsx';

/** What happens with the documents, before anyone hands them over. */
export function DocumentsNote() {
  return (
    <section
      aria-labelledby="documents-note"
      className="flex gap-3 rounded-card bg-lagoon-soft p-4 text-sm text-ink"
    >
      <Icon of={LockKeyhole} className="mt-0.5 shrink-0 text-lagoon" />
      <div>
        <h2 id="documents-note" className="font-semibold">
          What happens with your documents
        </h2>
        <ul className="mt-1 list-disc pl-4">
          <li>They are stored encrypted.</li>
          <li>Only an admin sees them, to check who you are; each look is recorded.</li>
          <li>They are deleted when the request is declined, and 30 days after it was accepted.</li>
        </ul>
      </div>
    </section>
  );
}
