import type { OwnProfile, Profile } from '@tara/contract/profiles';
import type { ReactNode } from 'react';
import { Collapsible } from '../../ui/Collapsible.tsx';
import { dateLabel } from '../../ui/time.ts';
import { bioPreview } from './bio-preview.ts';
import { isOwn } from './is-own.ts';
import { VerifiedStatus } from './VerifiedStatus.tsx';

const unset = dateLabel(null);

/** The collapsible About of a profile (§2). Birth date and phone number are known to the owner alone. */
export function AboutPanel({ profile }: { profile: Profile | OwnProfile }) {
  const { bio, education, lookingFor, hobby, gender } = profile;
  return (
    <Collapsible title="About">
      {bioPreview(bio) !== bio && <p className="mb-4 max-w-prose wrap-anywhere whitespace-pre-line">{bio}</p>}
      <dl className="grid grid-cols-2 gap-x-6 gap-y-3 lg:grid-cols-3">
        <Fact name="Working as">Student</Fact>
        {isOwn(profile) && <Fact name="Birth date">{dateLabel(profile.bDay)}</Fact>}
        <Fact name="Education">{education || unset}</Fact>
        <Fact name="Looking for">{lookingFor || unset}</Fact>
        <Fact name="Hobby">{hobby || unset}</Fact>
        <Fact name="Gender">{gender || unset}</Fact>
        {isOwn(profile) && <Fact name="Phone number">{profile.phoneNumber || unset}</Fact>}
        <Fact name="Verified status">
          <VerifiedStatus profile={profile} />
        </Fact>
      </dl>
      {isOwn(profile) && (
        <p className="mt-4 text-sm text-ink-soft">Only you see your birth date and phone number.</p>
      )}
    </Collapsible>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-sm text-ink-soft">{name}</dt>
      <dd className="font-medium wrap-anywhere">{children}</dd>
    </div>
  );
}
