import type { Interaction } from '@tara/contract/interactions/interactions';
import { clsx } from 'clsx';
import { Check, type LucideIcon, Pause } from 'lucide-react';
import { Icon } from '../../ui/Icon.tsx';
import { requestSteps, type StepState } from './request-look.ts';

const marks: Record<StepState, { look: string; icon?: LucideIcon; spoken: string }> = {
  done: { look: 'bg-leaf text-on-leaf', icon: Check, spoken: 'done' },
  next: { look: 'border-[3px] border-ink bg-surface', spoken: 'next' },
  later: { look: 'border-2 border-line bg-surface', spoken: 'later' },
  problem: { look: 'rounded-sm! bg-ember text-on-ember', icon: Pause, spoken: 'stopped' },
};

/** How far a request is: a mark for each of its steps, filled when it is done, a ring when it is next. */
export function RequestSteps({ request, className }: { request: Interaction; className?: string }) {
  const steps = requestSteps(request);
  return (
    <ol aria-label="Steps" className={clsx('flex', className)}>
      {steps.map(({ label, state }, index) => {
        const { look, icon, spoken } = marks[state];
        return (
          <li
            key={label}
            aria-current={state === 'next' ? 'step' : undefined}
            className="relative flex min-w-0 flex-1 flex-col items-center gap-1 text-center"
          >
            {index > 0 && (
              <span
                aria-hidden="true"
                className={clsx(
                  'absolute top-2.5 right-[calc(50%+16px)] left-[calc(-50%+16px)] h-0.5 rounded-full',
                  state === 'done' ? 'bg-leaf' : 'bg-line',
                )}
              />
            )}
            <span
              aria-hidden="true"
              className={clsx('flex size-5.5 items-center justify-center rounded-full', look)}
            >
              {icon && <Icon of={icon} size={14} />}
            </span>
            <span
              className={clsx(
                'text-xs leading-tight',
                state === 'done' || state === 'later' ? 'text-ink-soft' : 'font-semibold text-ink',
              )}
            >
              {label}
              <span className="sr-only">: {spoken}</span>
            </span>
          </li>
        );
      })}
    </ol>
  );
}
