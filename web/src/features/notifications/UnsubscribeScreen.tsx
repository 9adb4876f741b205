import { queryOptions } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { notificationGroups } from '@tara/contract/notifications/groups';
import type { UnsubscribeTopic, unsubscribe } from '@tara/contract/notifications/unsubscribe';
import { call, type Notice, notFoundNotice, primitiveCall } from '../../lib/call.ts';
import { queryClient, useCall, useLoaded } from '../../lib/queries.ts';
import { Button, buttonClass } from '../../ui/Button.tsx';
import { UnsubscribeFrame } from './skeletons.tsx';

const TABLE = '/api/unsubscribe';
/** Without zod, which a guest who follows a link does not load. */
const topicsCall = primitiveCall<typeof unsubscribe.topics>('GET', `${TABLE}/:token/topics`, [
  TABLE,
  'topics',
]);
const confirmCall = primitiveCall<typeof unsubscribe.confirm>('POST', `${TABLE}/:token`, [TABLE, 'confirm']);

/** What a link ends; for one that does not work the notice that the page shows. */
const topicsQuery = (token: string) =>
  queryOptions({
    queryKey: [...topicsCall.key, { params: { token } }],
    queryFn: async ({ signal }): Promise<{ topics: UnsubscribeTopic[] } | { notice: Notice }> => {
      try {
        return await call(topicsCall, { params: { token }, signal });
      } catch (error) {
        const notice = notFoundNotice(error);
        if (notice) return { notice };
        throw error;
      }
    },
  });

/** Loads what the link of an email ends. */
export const loadTopics = (token: string) => queryClient.ensureQueryData(topicsQuery(token));

const route = getRouteApi('/unsubscribe/$token');

/** `/unsubscribe/{token}`: where the link at the end of an email leads. Nothing ends before it is confirmed. */
export function UnsubscribeScreen() {
  const { token } = route.useParams();
  const link = useLoaded(topicsQuery(token));
  const confirm = useCall(confirmCall, {});
  if ('notice' in link)
    return (
      <UnsubscribeFrame title={link.notice.title}>
        <p className="mt-3 first-letter:uppercase">{link.notice.text}.</p>
        <SettingsLink />
      </UnsubscribeFrame>
    );
  const emails = emailNames(link.topics);
  if (confirm.isSuccess)
    return (
      <UnsubscribeFrame title="These emails have ended">
        <p className="mt-3" role="status">
          Tara does not send you {emails} any more. Emails about your security, your money and your safety
          still come. You can choose the others again in your settings.
        </p>
        <SettingsLink />
      </UnsubscribeFrame>
    );
  return (
    <UnsubscribeFrame title={`Stop ${emails}?`}>
      <p className="mt-3">
        In the app you find everything as before. Emails about your security, your money and your safety still
        come.
      </p>
      <div className="mt-6 flex flex-wrap gap-3">
        <Button size="lg" pending={confirm.isPending} onClick={() => confirm.mutate({ params: { token } })}>
          Stop them
        </Button>
        <Link to="/" className={buttonClass({ variant: 'ghost', size: 'lg' })}>
          Keep them
        </Link>
      </div>
    </UnsubscribeFrame>
  );
}

const list = new Intl.ListFormat('en');

/** 'emails about plans and posts', or 'the daily email'. */
function emailNames(topics: readonly UnsubscribeTopic[]): string {
  const names = topics.flatMap((topic) =>
    topic === 'dailyEmail' ? [] : notificationGroups[topic].label.toLowerCase(),
  );
  return names.length === 0 ? 'the daily email' : `emails about ${list.format(names)}`;
}

const SettingsLink = () => (
  <p className="mt-6">
    <Link to="/settings/notifications" className={buttonClass({ variant: 'secondary' })}>
      Open my settings
    </Link>
  </p>
);
