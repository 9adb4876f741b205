import { queryOptions } from '@tanstack/react-query';
import { redirect } from '@tanstack/react-router';
import type { publicLinks } from '@tara/contract/members/public-links';
import { call, type Notice, notFoundNotice, primitiveCall } from '../../lib/call.ts';
import { queryClient } from '../../lib/queries.ts';
import { sessionQuery } from '../accounts/index.ts';

const TABLE = '/api/publicLink';

/** Without zod, which a guest who follows a link does not load. */
const linkCalls = {
  invitation: primitiveCall<typeof publicLinks.invitation>('GET', `${TABLE}/invitation/:id`, [
    TABLE,
    'invitation',
  ]),
  plan: primitiveCall<typeof publicLinks.plan>('GET', `${TABLE}/plan/:id`, [TABLE, 'plan']),
  planId: primitiveCall<typeof publicLinks.planId>('GET', `${TABLE}/planId/:id`, [TABLE, 'planId']),
};

/** What a page shows in place of a link that has ended, in the words of the reply: the page is not one of an error. */
export interface EndedLink {
  notice: Notice;
}

const orEnded = async <Reply>(reply: Promise<Reply>): Promise<Reply | EndedLink> => {
  try {
    return await reply;
  } catch (error) {
    const notice = notFoundNotice(error);
    if (notice) return { notice };
    throw error;
  }
};

/** Who invites by a link. */
export const invitationQuery = (id: string) =>
  queryOptions({
    queryKey: [...linkCalls.invitation.key, { params: { id } }],
    queryFn: ({ signal }) => orEnded(call(linkCalls.invitation, { params: { id }, signal })),
  });

/** The plan of a public page. */
export const publicPlanQuery = (id: string) =>
  queryOptions({
    queryKey: [...linkCalls.plan.key, { params: { id } }],
    queryFn: ({ signal }) => orEnded(call(linkCalls.plan, { params: { id }, signal })),
  });

/** The page of an invitation, and whether a member looks at it. */
export const loadInvitation = (id: string) =>
  Promise.all([queryClient.ensureQueryData(invitationQuery(id)), queryClient.prefetchQuery(sessionQuery)]);

/** The public page of a plan, and whether a member looks at it. */
export const loadPublicPlan = (id: string) =>
  Promise.all([queryClient.ensureQueryData(publicPlanQuery(id)), queryClient.prefetchQuery(sessionQuery)]);

/** Leads a member from the public page of a plan to the plan. @throws ProblemError where the link has ended. */
export async function goToPlan(id: string): Promise<never> {
  const { planId } = await call(linkCalls.planId, { params: { id } });
  throw redirect({ to: '/profile/plan-details/$id', params: { id: planId }, replace: true });
}
