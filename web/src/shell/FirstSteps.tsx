import { Link, linkOptions } from '@tanstack/react-router';
import type { OwnProfile } from '@tara/contract/members/profiles';
import { clsx } from 'clsx';
import { BadgeCheck, Camera, Check, ChevronRight, MapPin } from 'lucide-react';
import { useState } from 'react';
import { useSession } from '../features/accounts/index.ts';
import { Button } from '../ui/Button.tsx';
import { storedItem, storeItem } from '../ui/browser-storage.ts';
import { Icon } from '../ui/Icon.tsx';

const firstSteps = ({ picture, city, hobby, verified, sentVerifiedReq, verificationDecline }: OwnProfile) => [
  {
    ...{ icon: Camera, title: 'Add your photo', text: 'People like to see whom they meet.' },
    link: linkOptions({ to: '/update-profile' }),
    isDone: picture.imageId !== null,
  },
  {
    ...{ icon: MapPin, title: 'Name your city and hobbies' },
    text: 'People and plans of your city come first.',
    link: linkOptions({ to: '/update-profile', search: { tab: 'info' } }),
    isDone: city !== '' && hobby !== '',
  },
  {
    ...{ icon: BadgeCheck, title: 'Get verified' },
    text: verificationDecline
      ? 'Your last request was declined: see why.'
      : 'Only verified members offer and request plans.',
    link: linkOptions({ to: '/verifying-identity' }),
    isDone: verified === true || sentVerifiedReq,
  },
];

/** On Home, what a new member does first, until all is done or the member hides it. */
export function FirstSteps() {
  const { profile } = useSession();
  const key = `tara-first-steps-${profile.id}`;
  const [isHidden, setIsHidden] = useState(() => storedItem(key) === 'hidden');
  const steps = firstSteps(profile);
  const done = steps.filter(({ isDone }) => isDone).length;
  if (isHidden || done === steps.length) return null;
  const hide = () => {
    setIsHidden(true);
    storeItem(key, 'hidden');
  };
  return (
    <section aria-labelledby="first-steps" className="rounded-card border border-line bg-surface p-4">
      <div className="flex items-center justify-between gap-3">
        <h2 id="first-steps" className="text-lg font-bold">
          Your first steps{' '}
          <span className="figures text-sm font-normal text-ink-soft">
            {done} of {steps.length} done
          </span>
        </h2>
        <Button variant="ghost" size="sm" onClick={hide}>
          Hide
        </Button>
      </div>
      <ol className="mt-1 -mb-2 flex flex-col">
        {steps.map(({ icon, title, text, link, isDone }) => (
          <li key={title}>
            <Link
              {...link}
              className="-mx-2 flex min-h-14 items-center gap-3 rounded-control px-2 py-1.5 hover:bg-sunken"
            >
              <span
                className={clsx(
                  'flex size-9 shrink-0 items-center justify-center rounded-full',
                  isDone ? 'bg-leaf text-on-leaf' : 'bg-lagoon-soft text-lagoon',
                )}
              >
                <Icon of={isDone ? Check : icon} />
              </span>
              <span className="min-w-0 flex-1">
                <span className={clsx('block', isDone ? 'text-ink-soft' : 'font-semibold')}>
                  {title}
                  {isDone && <span className="sr-only">, done</span>}
                </span>
                {!isDone && <span className="block text-sm text-ink-soft">{text}</span>}
              </span>
              {!isDone && <Icon of={ChevronRight} className="text-ink-soft" />}
            </Link>
          </li>
        ))}
      </ol>
    </section>
  );
}
