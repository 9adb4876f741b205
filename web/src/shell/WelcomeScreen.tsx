import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { profiles } from '@tara/contract/members/profiles';
import { publicLinks } from '@tara/contract/members/public-links';
import { verification } from '@tara/contract/members/verification';
import { plans } from '@tara/contract/plans/plans';
import { clsx } from 'clsx';
import { BadgeCheck } from 'lucide-react';
import { useEffect, useState } from 'react';
import { currentSession, markWelcomed, useSession } from '../features/accounts/index.ts';
import { HowPlansWork, PlanRow } from '../features/plans/index.ts';
import { FirstAboutForm, FirstPhotoForm, PersonTile } from '../features/profiles/index.ts';
import { UsualTime } from '../features/verification/index.ts';
import { loadPage } from '../lib/load-page.ts';
import { queryClient, queryOf, useOptional } from '../lib/queries.ts';
import { PersonAvatar } from '../lib/stored-picture.tsx';
import { rememberDestination, rememberedDestination, takeDestination } from '../lib/url.ts';
import { Button, buttonClass } from '../ui/Button.tsx';
import { Icon } from '../ui/Icon.tsx';
import { Illustration } from '../ui/Illustration.tsx';
import { Page } from '../ui/Page.tsx';

const route = getRouteApi('/_main/welcome');

const steps = [
  { name: undefined, label: 'Photo' },
  { name: 'about', label: 'About you' },
  { name: 'look', label: 'Look around' },
] as const;
type StepName = (typeof steps)[number]['name'];

/** How many plans and how many people are shown. */
const SHOWN = 3;

const peopleQuery = queryOf(profiles.people);
const plansQuery = queryOf(plans.search);
const cityPlansQuery = (city: string) => queryOf(plans.search, { query: { place: city } });

/** Who came by the public page of a plan goes on to the plan itself. */
async function rememberLinkedPlan(): Promise<void> {
  const [, id] = /^\/open-plan\/([^/?#]+)/.exec(rememberedDestination()) ?? [];
  if (id === undefined) return;
  const plan = await queryClient
    .fetchQuery(queryOf(publicLinks.planId, { params: { id } }))
    .catch(() => null);
  if (plan) rememberDestination(`/profile/plan-details/${plan.planId}`);
}

/** What the last step shows, without which the steps are shown as well: also plans of the own city, once it is named. */
export async function loadWelcome({ step }: { step?: string } = {}): Promise<void> {
  const city = step === 'look' ? ((await currentSession())?.profile.city ?? '') : '';
  await Promise.all([
    step === 'look' && rememberLinkedPlan(),
    loadPage('/welcome', { plans, profiles, verification }),
    city !== '' && queryClient.prefetchQuery(cityPlansQuery(city)),
  ]);
}

/**
 * `/welcome`: three short steps after signing up, each of which can be skipped: a photo; city and hobbies; plans and people to
 * look at. What is not done stays in the list of first steps on Home.
 */
export function WelcomeScreen() {
  const { step } = route.useSearch();
  const { profile } = useSession();
  useEffect(() => markWelcomed(profile.id), [profile.id]);
  if (step === 'about') return <AboutStep />;
  return step === 'look' ? <LookStep /> : <PhotoStep />;
}

function PhotoStep() {
  const { profile } = useSession();
  const hasPhoto = profile.picture.imageId !== null;
  return (
    <Page
      title="Add your photo"
      intro={`Welcome to Tara, ${profile.name}. People like to see whom they meet.`}
      width="form"
    >
      <Steps step={undefined} />
      {hasPhoto && (
        <div className="mb-4 flex items-center gap-4">
          <PersonAvatar person={profile} size="xl" />
          <p className="text-ink-soft">This is how people see you now.</p>
        </div>
      )}
      <FirstPhotoForm
        next={{ to: '/welcome', search: { step: 'about' } }}
        skip={<SkipLink step="about" isDone={hasPhoto} />}
      />
      <Illustration name="lanterns" className="bleed mt-8 aspect-36/16 sm:rounded-card" />
    </Page>
  );
}

function AboutStep() {
  const { city, hobby } = useSession().profile;
  return (
    <Page
      title="Your city and hobbies"
      intro="People and plans of your city come first, and hobbies that you share are marked."
      width="form"
    >
      <Steps step="about" />
      <FirstAboutForm
        next={{ to: '/welcome', search: { step: 'look' } }}
        skip={<SkipLink step="look" isDone={city !== '' && hobby !== ''} />}
      />
      <Illustration name="together" className="bleed mt-8 aspect-36/16 sm:rounded-card" />
    </Page>
  );
}

function LookStep() {
  const { city } = useSession().profile;
  const people = useOptional(peopleQuery)?.items.slice(0, SHOWN) ?? [];
  const near = useOptional({ ...cityPlansQuery(city), enabled: city !== '' })?.items ?? [];
  const all = useOptional(plansQuery)?.items ?? [];
  const shownPlans = [...new Map([...near, ...all].map((plan) => [plan.id, plan])).values()].slice(0, SHOWN);
  return (
    <Page title="Look around" intro="What you can do here, and whom you can meet." width="form">
      <Steps step="look" />
      <div className="flex flex-col gap-8">
        {shownPlans.length > 0 ? (
          <section aria-labelledby="plans">
            <h2 id="plans" className="mb-3 text-xl font-bold tracking-tight">
              Plans to join
            </h2>
            <ul className="flex flex-col gap-4">
              {shownPlans.map((plan) => (
                <li key={plan.id}>
                  <PlanRow plan={plan} label={plan.creator.name} />
                </li>
              ))}
            </ul>
          </section>
        ) : (
          <HowPlansWork />
        )}
        {people.length > 0 && (
          <section aria-labelledby="people">
            <h2 id="people" className="mb-3 text-xl font-bold tracking-tight">
              People to meet
            </h2>
            <ul className="grid grid-cols-3 gap-3">
              {people.map((person) => (
                <li key={person.id} className="min-w-0">
                  <PersonTile person={person} />
                </li>
              ))}
            </ul>
          </section>
        )}
        <LastWords />
      </div>
    </Page>
  );
}

/** That only verified members request plans, and where to go from here. */
function LastWords() {
  const { verified, sentVerifiedReq } = useSession().profile;
  const navigate = useNavigate();
  // Read once: the tab that waited for the mail takes it too.
  const [destination] = useState(rememberedDestination);
  const [, plan] = /^\/profile\/plan-details\/([^/?#]+)/.exec(destination) ?? [];
  const isOpen = !verified && !sentVerifiedReq;
  return (
    <section aria-label="What comes next" className="flex flex-col gap-4 rounded-card bg-lagoon-soft p-4">
      <p className="flex gap-3">
        <Icon of={BadgeCheck} className="mt-0.5 shrink-0 text-lagoon" />
        <span>
          {verified ? 'You are verified: request any plan you like.' : 'Only verified people request plans.'}{' '}
          {!verified && <UsualTime />}
        </span>
      </p>
      <div className="flex flex-wrap-reverse gap-2 *:grow">
        <Button
          variant={isOpen ? 'secondary' : 'primary'}
          onClick={() => {
            takeDestination();
            void navigate({ href: destination });
          }}
        >
          {plan ? 'Go on to the plan' : destination === '/' ? 'Go to Home' : 'Go on'}
        </Button>
        {isOpen && (
          <Link to="/verifying-identity" search={plan ? { plan } : {}} className={buttonClass()}>
            Get verified
          </Link>
        )}
      </div>
    </section>
  );
}

/** The three steps, each of which can be gone to. */
function Steps({ step }: { step: StepName }) {
  const current = steps.findIndex(({ name }) => name === step);
  return (
    <nav aria-label="Steps" className="mb-6">
      <ol className="grid grid-cols-3 gap-2">
        {steps.map(({ name, label }, index) => (
          <li key={label}>
            <Link
              to="/welcome"
              search={name ? { step: name } : {}}
              activeOptions={{ exact: true, includeSearch: true }}
              aria-current={index === current ? 'step' : undefined}
              className={clsx(
                'flex min-h-11 flex-col gap-1.5 rounded-control pt-2 text-sm',
                index === current ? 'font-semibold' : 'text-ink-soft hover:text-ink',
              )}
            >
              <span
                aria-hidden="true"
                className={clsx('h-1 rounded-full', index <= current ? 'bg-mango' : 'bg-ink/12')}
              />
              <span>
                {index + 1} {label}
              </span>
            </Link>
          </li>
        ))}
      </ol>
    </nav>
  );
}

/** Leads to the next step; nothing that is filled in is lost. */
const SkipLink = ({ step, isDone }: { step: StepName; isDone: boolean }) => (
  <Link to="/welcome" search={step ? { step } : {}} className={`${buttonClass({ variant: 'ghost' })} -ml-4`}>
    {isDone ? 'Next' : 'Skip'}
  </Link>
);
