import { Link } from '@tanstack/react-router';
import { type AccountSettings, account, accounts } from '@tara/contract/accounts/accounts';
import { empty } from '@tara/contract/notices';
import { type Identity, type OAuthProviderName, oauth2, oauthTitles } from '@tara/contract/wire/oauth2';
import { useState } from 'react';
import { queryOf, useCall, useLoaded } from '../../lib/queries.ts';
import { Button, buttonClass } from '../../ui/Button.tsx';
import { Checkbox } from '../../ui/Field.tsx';
import { confirm, toast } from '../../ui/feedback.ts';
import { Badge } from '../../ui/marks.tsx';
import { Page } from '../../ui/Page.tsx';
import { ThemeSwitch } from '../../ui/Segmented.tsx';
import { SettingsRow, SettingsSection } from '../../ui/Settings.tsx';
import { TimeLabel } from '../../ui/TimeLabel.tsx';
import { deviceIcon, deviceLabel, NotificationSection } from '../devices/index.ts';
import { InviteButton } from '../public-links/index.ts';
import { PublicPageLinks } from '../public-pages/index.ts';
import { searchKey } from '../search/index.ts';
import { SettingsDialogs, type SettingsField } from './SettingsDialogs.tsx';
import { MessageSettings, YourData } from './SettingsSections.tsx';
import { logOut, useSession } from './session.ts';

/** `/settings`: what belongs to the account rather than to the profile. */
export function SettingsScreen() {
  const { account: own, profile } = useSession();
  const settings = useLoaded(queryOf(accounts.settings));
  const [editing, setEditing] = useState<SettingsField | null>(null);
  return (
    <Page
      title="Settings"
      actions={
        <Link to="/update-profile" className={buttonClass({ variant: 'ghost' })}>
          Edit profile
        </Link>
      }
    >
      <div className="flex flex-col gap-8">
        <SettingsSection title="Who you are">
          <SettingsRow label="Name" value={profile.name}>
            <EditButton what="name" onClick={() => setEditing('name')} />
          </SettingsRow>
          <SettingsRow label="Username" value={`@${profile.username}`}>
            <EditButton what="username" onClick={() => setEditing('username')} />
          </SettingsRow>
        </SettingsSection>
        <SettingsSection title="Signing in">
          <SettingsRow
            label="Email"
            value={settings.email}
            note={settings.pendingEmail && <PendingEmail settings={settings} />}
          >
            <EditButton what="email" onClick={() => setEditing('email')} />
          </SettingsRow>
          <SettingsRow
            label="Phone number"
            value={settings.phone || empty.date}
            note="To reach your account. Payouts go to the number in your profile."
          >
            <EditButton what="phone number" onClick={() => setEditing('phone')} />
          </SettingsRow>
          <SettingsRow
            label="Password"
            value={
              settings.passwordUpdatedAt === null ? (
                empty.date
              ) : (
                <>
                  Last changed: <TimeLabel iso={settings.passwordUpdatedAt} />
                </>
              )
            }
          >
            {settings.passwordUpdatedAt === null ? (
              <Button
                variant="secondary"
                size="sm"
                aria-label="Set a password"
                onClick={() => setEditing('password')}
              >
                Set
              </Button>
            ) : (
              <EditButton what="password" onClick={() => setEditing('password')} />
            )}
          </SettingsRow>
          <Providers />
        </SettingsSection>
        {own.isUserAdmin && (
          <SettingsSection title="Admin pages">
            <SettingsRow label="Second factor" value="A code from your authenticator app.">
              <Link
                to="/second-factor"
                aria-label="See your second factor"
                className={buttonClass({ variant: 'secondary', size: 'sm' })}
              >
                See
              </Link>
            </SettingsRow>
          </SettingsSection>
        )}
        <Devices />
        <NotificationSection accountId={own.id} />
        <SettingsSection title="This browser">
          <SettingsRow label="Theme" value="Light, dark, or as the system has it.">
            <ThemeSwitch />
          </SettingsRow>
          <SearchKeySwitch />
        </SettingsSection>
        <MessageSettings />
        <SettingsSection title="Privacy">
          <SettingsRow
            label="Invitation"
            value="A link that shows your first name and your picture, off until you switch it on."
          >
            <InviteButton size="sm" />
          </SettingsRow>
          <SettingsRow
            label="Blocked and muted people"
            value="Who cannot see you, and whose posts you do not see."
          >
            <Link
              to="/settings/blocked"
              aria-label="See blocked and muted people"
              className={buttonClass({ variant: 'secondary', size: 'sm' })}
            >
              See
            </Link>
          </SettingsRow>
        </SettingsSection>
        <YourData />
        <PublicPageLinks />
      </div>
      <SettingsDialogs
        editing={editing}
        onClose={() => setEditing(null)}
        profile={profile}
        settings={settings}
        isConfirmed={own.emailVerification}
      />
    </Page>
  );
}

function EditButton({ what, onClick }: { what: string; onClick: () => void }) {
  return (
    <Button variant="secondary" size="sm" aria-label={`Change your ${what}`} onClick={onClick}>
      Change
    </Button>
  );
}

/** The email that waits for its confirmation. */
function PendingEmail({ settings: { email, pendingEmail } }: { settings: AccountSettings }) {
  const cancel = useCall(accounts.cancelEmailChange, {
    invalidates: [accounts.settings],
    onSuccess: () =>
      toast({ title: 'Your email stays as it is.', text: `You sign in with ${email}.`, tone: 'success' }),
  });
  if (pendingEmail === null) return null;
  return (
    <span className="mt-2 flex flex-col items-start gap-2 rounded-control bg-mango-soft p-3 text-mango-ink">
      <span className="wrap-anywhere">
        Open the link we sent to <strong className="font-semibold">{pendingEmail.email}</strong>. Until then
        your present email stays.
      </span>
      <Button variant="secondary" size="sm" pending={cancel.isPending} onClick={() => cancel.mutate({})}>
        Cancel this change
      </Button>
    </span>
  );
}

/** The other providers by which the account is signed in to, each in a row of its section. */
function Providers() {
  const { identities } = useLoaded(queryOf(oauth2.listIdentities));
  const remove = useCall(oauth2.deleteIdentity, {
    // The sessions that began with it end.
    invalidates: [oauth2.listIdentities, account.listSessions],
    onSuccess: () => toast({ title: 'You no longer sign in with it.', tone: 'success' }),
  });
  const askToRemove = async ({ $id: identityId, provider }: Identity) => {
    const label = providerLabel(provider);
    const yes = await confirm({
      title: `Remove ${label}?`,
      text: `You will not sign in to this account with ${label} any more. Devices that did are logged out, apart from this one.`,
      confirmLabel: 'Remove',
      tone: 'danger',
    });
    if (yes) remove.mutate({ params: { identityId } });
  };
  return identities.map((identity) => {
    const label = providerLabel(identity.provider);
    return (
      <SettingsRow
        key={identity.$id}
        label={label}
        value={identity.providerEmail || 'Without an email.'}
        note={
          <>
            Used since: <TimeLabel iso={identity.$createdAt} />
          </>
        }
      >
        <Button
          variant="secondary"
          size="sm"
          pending={remove.isPending && remove.variables.params.identityId === identity.$id}
          aria-label={`Remove ${label} ${identity.providerEmail}`.trim()}
          onClick={() => void askToRemove(identity)}
        >
          Remove
        </Button>
      </SettingsRow>
    );
  });
}

const providerLabel = (provider: OAuthProviderName) =>
  provider === 'oidc' ? 'Single sign-on' : oauthTitles[provider];

/** Where the account is signed in, this device first. */
function Devices() {
  const { sessions } = useLoaded(queryOf(account.listSessions));
  const invalidates = [account.listSessions];
  const endOthers = useCall(accounts.endOtherSessions, {
    invalidates,
    onSuccess: () => toast({ title: 'The other devices are logged out.', tone: 'success' }),
  });
  const end = useCall(account.deleteSession, { invalidates });
  const inOrder = [...sessions].sort((one, other) => Number(other.current) - Number(one.current));
  const askToEndOthers = async () => {
    const yes = await confirm({
      title: 'Log out the others?',
      text: 'Everywhere but here, you will have to sign in again.',
      confirmLabel: 'Log out the others',
    });
    if (yes) endOthers.mutate({});
  };
  return (
    <SettingsSection
      title="Devices"
      action={
        sessions.length > 1 && (
          <Button
            variant="ghost"
            size="sm"
            pending={endOthers.isPending}
            onClick={() => void askToEndOthers()}
          >
            Log out the others
          </Button>
        )
      }
    >
      {inOrder.map((session) => {
        const name = deviceLabel(session);
        const isEnding = end.isPending && end.variables.params.sessionId === session.$id;
        return (
          <SettingsRow
            key={session.$id}
            icon={deviceIcon(session)}
            label={name}
            value={
              <>
                Signed in: <TimeLabel iso={session.$createdAt} />
                {session.ip && ` · ${session.ip}`}
              </>
            }
            note={session.current && <Badge tone="leaf">This device</Badge>}
          >
            <Button
              variant="secondary"
              size="sm"
              pending={isEnding}
              aria-label={session.current ? 'Log out here' : `Log out ${name}`}
              onClick={() =>
                session.current ? void logOut() : end.mutate({ params: { sessionId: session.$id } })
              }
            >
              Log out
            </Button>
          </SettingsRow>
        );
      })}
    </SettingsSection>
  );
}

/** Browsers have `/` for other things, and a key that is struck by accident must do nothing. */
const SearchKeySwitch = () => (
  <li className="px-4 py-1.5 sm:px-5 coarse:hidden">
    <Checkbox
      label="Open the search with /"
      hint="From every screen, outside of fields."
      checked={searchKey.useIsOn()}
      onChange={({ target }) => searchKey.turn(target.checked)}
    />
  </li>
);
