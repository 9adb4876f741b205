import { Link } from '@tanstack/react-router';
import type { OwnProfile, Profile } from '@tara/contract/profiles';
import { BadgeCheck, Clock } from 'lucide-react';
import { Badge } from '../../ui/Badge.tsx';
import { buttonClass } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { linkClass } from '../../ui/TextLink.tsx';
import { isOwn } from './is-own.ts';

/** Verified; for its owner 'Get verified' or 'waiting...'; for others 'Not yet verified' (§4). */
export function VerifiedStatus({ profile }: { profile: Profile | OwnProfile }) {
  if (profile.verified) {
    return (
      <Badge tone="lagoon" icon={BadgeCheck}>
        Verified
      </Badge>
    );
  }
  if (!isOwn(profile)) return <span>Not yet verified</span>;
  if (profile.sentVerifiedReq) {
    return (
      <Badge tone="mango" icon={Clock}>
        waiting...
      </Badge>
    );
  }
  return (
    <Link to="/verifying-identity" className={linkClass}>
      Get verified
    </Link>
  );
}

/** For an owner who has not asked yet: the way to /verifying-identity (§2). */
export function GetVerifiedButton({ profile }: { profile: OwnProfile }) {
  if (profile.verified || profile.sentVerifiedReq) return null;
  return (
    <Link to="/verifying-identity" className={buttonClass({ variant: 'secondary' })}>
      <Icon of={BadgeCheck} />
      Get Verified
    </Link>
  );
}
