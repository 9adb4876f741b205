import { getRouteApi, Link } from '@tanstack/react-router';
import { empty } from '@tara/contract/notices';
import { plans } from '@tara/contract/plans/plans';
import { CalendarPlus, Handshake, History, Phone } from 'lucide-react';
import { pagesOf, useLoadedPages } from '../../lib/queries.ts';
import { buttonClass, linkClass } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { PagedList } from '../../ui/InfiniteList.tsx';
import { Page } from '../../ui/Page.tsx';
import { useSession } from '../accounts/index.ts';
import { PlanCard } from './PlanCard.tsx';

const route = getRouteApi('/_main/profile/plans/$id');

const planPages = (creatorId: string) => pagesOf(plans.byCreator, { params: { id: creatorId } });

/** /profile/plans/{id}: a member's plans, with additional links for their owner (§6). */
export function PlanListScreen() {
  const { id } = route.useParams();
  const { profile } = useSession();
  const isOwner = profile.id === id;
  const list = useLoadedPages(planPages(id));
  const creator = list.items[0]?.creator.name;
  const title = isOwner ? 'Your plans' : creator ? `Plans of ${creator}` : 'Plans';
  return (
    <Page title={title} width="grid" actions={isOwner && <OwnerLinks id={id} />}>
      {isOwner && profile.phoneNumber === '' && <PhoneNumberPrompt />}
      <PagedList
        list={list}
        empty={{
          illustration: 'sailing',
          title: empty.plans,
          text: isOwner
            ? 'A plan is a way to meet you: a walk, a coffee, a game. Friends request it here.'
            : 'The plans of this member appear here.',
          action: isOwner ? (
            <Link to="/profile/create-plans/$id" params={{ id }} className={buttonClass()}>
              Create your first plan
            </Link>
          ) : (
            <Link to="/all-users" className={buttonClass({ variant: 'secondary' })}>
              Find other friends
            </Link>
          ),
        }}
      >
        {(plans) => (
          <ul className="tiles">
            {plans.map((plan, index) => (
              <PlanCard key={plan.id} plan={plan} isOwner={isOwner} eager={index < 4} />
            ))}
          </ul>
        )}
      </PagedList>
    </Page>
  );
}

/** 'Add Plan', 'Friend Request' and 'History' are the plan owner's (§6). */
function OwnerLinks({ id }: { id: string }) {
  const quiet = buttonClass({ variant: 'secondary' });
  return (
    <>
      <Link to="/profile/create-plans/$id" params={{ id }} className={buttonClass()}>
        <Icon of={CalendarPlus} />
        Add Plan
      </Link>
      <Link to="/profile/friend-request/$id" params={{ id }} className={quiet}>
        <Icon of={Handshake} />
        Friend Request
      </Link>
      <Link to="/profile/history/$id" params={{ id }} className={quiet}>
        <Icon of={History} />
        History
      </Link>
    </>
  );
}

/** Payouts go to the creator's phone number, so creators without one are prompted to add it (§6). */
function PhoneNumberPrompt() {
  return (
    <p className="mb-5 flex items-start gap-3 rounded-card bg-mango-soft p-4">
      <Icon of={Phone} className="mt-0.5 text-mango-ink" />
      <span>
        To receive the payment for your plans, Tara needs your phone number.{' '}
        <Link to="/update-profile" search={{ tab: 'info' }} className={linkClass}>
          Add your phone number
        </Link>
      </span>
    </p>
  );
}
