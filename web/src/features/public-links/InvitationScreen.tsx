import { getRouteApi, Link } from '@tanstack/react-router';
import { type LucideIcon, MapPin, ShieldCheck, Sparkles } from 'lucide-react';
import { useLoaded, useOptional } from '../../lib/queries.ts';
import { buttonClass } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Avatar } from '../../ui/Picture.tsx';
import { AuthLayout, sessionQuery } from '../accounts/index.ts';
import { PublicPageLinks } from '../public-pages/index.ts';
import { JoinButtons, LinkEnded } from './JoinButtons.tsx';
import { invitationQuery } from './queries.ts';

const route = getRouteApi('/invite/$id');

/** `/invite/{id}`: who invites, for people who are not on Tara yet. */
export function InvitationScreen() {
  const invitation = useLoaded(invitationQuery(route.useParams().id));
  const isMember = useOptional(sessionQuery) !== null;
  if ('notice' in invitation) return <LinkEnded notice={invitation.notice} />;
  const { firstName, picture } = invitation;
  return (
    <AuthLayout
      title={`${firstName} invites you to Tara`}
      portrait={<Avatar name={firstName} src={picture?.imageUrl} size="2xl" className="ring-4 ring-paper" />}
      welcome
    >
      {isMember ? (
        <Link to="/" className={buttonClass({ size: 'lg', block: true })}>
          Open Tara
        </Link>
      ) : (
        <JoinButtons label="Join Tara" />
      )}
      <ul className="mt-3 flex flex-col gap-4">
        {POINTS.map(({ icon, text }) => (
          <li key={text} className="flex items-center gap-3">
            <span className="flex size-11 shrink-0 items-center justify-center rounded-full bg-lagoon-soft text-lagoon">
              <Icon of={icon} />
            </span>
            <span className="text-balance">{text}</span>
          </li>
        ))}
      </ul>
      <PublicPageLinks />
    </AuthLayout>
  );
}

/** With icons that the bars of members do not bring along. */
const POINTS: { icon: LucideIcon; text: string }[] = [
  { icon: Sparkles, text: 'Find people of your city who like what you like.' },
  { icon: MapPin, text: 'Go along with somebody who knows the place.' },
  { icon: ShieldCheck, text: 'Whoever offers a plan has shown an ID.' },
];
