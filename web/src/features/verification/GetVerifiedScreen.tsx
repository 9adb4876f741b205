import { Link, useNavigate, useRouter } from '@tanstack/react-router';
import { problemNotice } from '@tara/contract/problems';
import { BadgeCheck } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { buttonClass } from '../../ui/Button.tsx';
import { toast } from '../../ui/feedback.ts';
import { EmptyState, Page } from '../../ui/Page.tsx';
import { useSession } from '../accounts/index.ts';
import { VerificationRequestForm } from './VerificationRequestForm.tsx';

/** /verifying-identity (§2): sends a verification request to the admins, once. */
export function GetVerifiedScreen() {
  const { profile } = useSession();
  // Only the state on arrival: sending the request updates the session, which must not redirect.
  const [wasSent] = useState(profile.sentVerifiedReq);
  if (profile.verified) {
    return (
      <Page title="Get Verified" width="form">
        <EmptyState
          icon={BadgeCheck}
          title="You are verified"
          text="Others see the mark beside your name. You can create plans and request those of others."
          action={
            <Link to="/profile/$id" params={{ id: profile.id }} className={buttonClass()}>
              Go to your profile
            </Link>
          }
        />
      </Page>
    );
  }
  if (wasSent) return <AlreadySent profileId={profile.id} />;
  return (
    <Page
      title="Get Verified"
      intro="Show who you are, so that others can trust you. Verified members create plans and request those of others."
      width="form"
    >
      <VerificationRequestForm />
    </Page>
  );
}

/** §5: if a request was already sent the page goes back. */
function AlreadySent({ profileId }: { profileId: string }) {
  const router = useRouter();
  const navigate = useNavigate();
  const left = useRef(false);
  useEffect(() => {
    if (left.current) return;
    left.current = true;
    toast(problemNotice('verification_already_sent'));
    if (router.history.canGoBack()) router.history.back();
    else void navigate({ to: '/profile/$id', params: { id: profileId }, replace: true });
  }, [router, navigate, profileId]);
  return null;
}
