import { Illustration } from '../../ui/Illustration.tsx';

/** The way of a plan, a step for each quarter of the drawing. */
const STEPS = [
  { title: 'Request', text: 'Choose a day.' },
  { title: 'Pay', text: 'Tara holds the money.' },
  { title: 'Meet', text: 'Enjoy it together.' },
  { title: 'Review', text: 'Tell others how it was.' },
];

/** How a plan works, as one picture; for places without any plan. */
export function HowPlansWork({ className }: { className?: string }) {
  return (
    <section aria-label="How a plan works" className={className}>
      <Illustration name="voyage" className="bleed aspect-36/13 sm:rounded-card" />
      <ol className="mt-3 grid grid-cols-4 gap-2 text-center">
        {STEPS.map(({ title, text }) => (
          <li key={title} className="flex flex-col">
            <span className="font-semibold">{title}</span>
            <span className="text-sm leading-snug text-balance text-ink-soft">{text}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}
