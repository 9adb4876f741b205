import { getRouteApi } from '@tanstack/react-router';
import { accounts } from '@tara/contract/accounts/accounts';
import { FirstCode, type SecondFactorSetup, secondFactor } from '@tara/contract/accounts/second-factor';
import { Copy, Download } from 'lucide-react';
import { useState } from 'react';
import { encode } from 'uqr';
import { call, isProblem } from '../../lib/call.ts';
import { useForm } from '../../lib/form.tsx';
import { Form, SubmitButton } from '../../lib/form-fields.tsx';
import { invalidate, queryOf, useCall, useLoaded } from '../../lib/queries.ts';
import { safeDestination } from '../../lib/url.ts';
import { Button, buttonClass, linkClass } from '../../ui/Button.tsx';
import { toast } from '../../ui/feedback.ts';
import { Icon } from '../../ui/Icon.tsx';
import { Card, Page } from '../../ui/Page.tsx';
import { TimeLabel } from '../../ui/TimeLabel.tsx';
import { hasAdminRights } from './guards.ts';
import { AppCodeField, CodeFields, useCodeForm } from './Prompts.tsx';
import { useSession } from './session.ts';
import { SecondFactorSkeleton } from './skeletons.tsx';

const route = getRouteApi('/_main/second-factor');

/**
 * `/second-factor`: sets it up, asks for a code, and leads on to the admin page that was wanted; without one, shows what is
 * set up.
 */
export function SecondFactorScreen() {
  const { redirect } = route.useSearch();
  const destination = safeDestination(redirect);
  const session = useSession();
  const { createdAt } = useLoaded(queryOf(secondFactor.status));
  const [newCodes, setNewCodes] = useState<string[] | null>(null);
  const [isLeaving, setIsLeaving] = useState(false);
  const goOn = async () => {
    if (destination) {
      setIsLeaving(true);
      // A new document: this one has refusals of what the page reads, which the browser asked for while it loaded.
      location.replace(destination);
      return;
    }
    await invalidate(accounts.session, secondFactor.status);
    setNewCodes(null);
  };
  if (isLeaving) return <SecondFactorSkeleton />;
  if (newCodes) return <RecoveryCodesPage codes={newCodes} onDone={goOn} />;
  if (createdAt === null) return <SetupPage onDone={setNewCodes} />;
  if (!hasAdminRights(session)) return <CodePage onDone={goOn} />;
  return <StatusPage onRenewed={setNewCodes} />;
}

/** Asks for a code, for 12 hours. */
function CodePage({ onDone }: { onDone: () => Promise<void> }) {
  const form = useCodeForm(onDone);
  return (
    <Page
      title="Enter your code"
      width="form"
      intro="Admin pages open with a code from your authenticator app. You are asked again after 12 hours."
    >
      <Card>
        <Form form={form} className="flex flex-col gap-2">
          <CodeFields form={form}>
            <SubmitButton form={form} block pendingLabel="Checking...">
              Continue
            </SubmitButton>
          </CodeFields>
        </Form>
      </Card>
      <p className="mt-4 px-1 text-sm text-ink-soft">
        Lost your phone and your recovery codes? Ask whoever runs this server to reset your second factor.
      </p>
    </Page>
  );
}

/** The first visit: why, then a secret for the app with a first code. */
function SetupPage({ onDone }: { onDone: (recoveryCodes: string[]) => void }) {
  const begin = useCall(secondFactor.begin, {
    onError: (error) => {
      // Set up in another tab.
      if (isProblem(error, 'second_factor_exists')) void invalidate(secondFactor.status, accounts.session);
    },
  });
  return (
    <Page
      title="Set up your second factor"
      width="form"
      intro="As an admin you see identity cards and release money. With a second factor, your password alone does not open these pages."
    >
      <Card className="flex flex-col gap-4">
        {begin.data ? (
          <SetupForm setup={begin.data} onDone={onDone} />
        ) : (
          <>
            <p>
              You need an authenticator app on your phone, such as Google Authenticator, Microsoft
              Authenticator, 1Password or Aegis. It takes a minute.
            </p>
            <Button block pending={begin.isPending} onClick={() => begin.mutate({})}>
              Start
            </Button>
          </>
        )}
      </Card>
    </Page>
  );
}

interface SetupFormProps {
  setup: SecondFactorSetup;
  onDone: (recoveryCodes: string[]) => void;
}

function SetupForm({ setup: { secret, uri, setup }, onDone }: SetupFormProps) {
  const form = useForm({
    schema: FirstCode,
    defaultValues: { code: '' },
    send: ({ code }) => call(secondFactor.setUp, { body: { setup, code } }),
    onSuccess: ({ recoveryCodes }) => onDone(recoveryCodes),
    failureField: 'code',
  });
  return (
    <>
      <div>
        <h2 className="font-semibold">1. Scan this with your app</h2>
        <div className="mt-3 flex flex-wrap items-center gap-4">
          <QrCode text={uri} />
          <div className="min-w-48 flex-1 text-sm text-ink-soft">
            <p>
              Tara on this phone?{' '}
              <a href={uri} className={linkClass}>
                Open it in your app
              </a>
              .
            </p>
            <p className="mt-3">Or type this key:</p>
            <p className="mt-1 mb-2 font-mono text-base text-ink wrap-anywhere">{groupsOf4(secret)}</p>
            <CopyButton label="Copy the key" text={secret} />
          </div>
        </div>
      </div>
      <div>
        <h2 className="font-semibold">2. Enter the code that the app shows</h2>
        <Form form={form} className="mt-3 flex flex-col gap-2">
          <AppCodeField form={form} />
          <SubmitButton form={form} block pendingLabel="Checking...">
            Set up
          </SubmitButton>
        </Form>
      </div>
    </>
  );
}

const groupsOf4 = (text: string) => (text.match(/.{1,4}/g) ?? []).join(' ');

/** Black on white in both themes: apps scan nothing else reliably. */
function QrCode({ text }: { text: string }) {
  const { size, data } = encode(text, { border: 2 });
  const path = data
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')))
    .join('');
  return (
    <svg
      role="img"
      aria-label="QR code of the key"
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className="size-44 shrink-0 rounded-control border border-line bg-white text-black"
    >
      <path d={path} fill="currentColor" />
    </svg>
  );
}

function CopyButton({ label, text }: { label: string; text: string }) {
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      toast({ title: 'Copied.', tone: 'success' });
    } catch {
      toast({ title: 'It could not be copied', text: 'please select it by hand', tone: 'danger' });
    }
  };
  return (
    <Button variant="secondary" size="sm" icon={<Icon of={Copy} size={16} />} onClick={() => void copy()}>
      {label}
    </Button>
  );
}

interface RecoveryCodesPageProps {
  codes: readonly string[];
  onDone: () => Promise<void>;
}

/** The recovery codes, which are shown once. */
function RecoveryCodesPage({ codes, onDone }: RecoveryCodesPageProps) {
  const [isLeaving, setIsLeaving] = useState(false);
  const text = codes.join('\n');
  const file = `data:text/plain;charset=utf-8,${encodeURIComponent(`Recovery codes of Tara. Each works once.\n\n${text}\n`)}`;
  return (
    <Page
      title="Save your recovery codes"
      width="form"
      intro="If you lose your phone, each of them works once in place of a code from the app. They are not shown again: store them where you store your passwords."
    >
      <Card className="flex flex-col gap-4">
        <ul className="grid gap-x-6 gap-y-1.5 font-mono sm:grid-cols-2">
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
        <div className="flex flex-wrap items-center gap-2">
          <CopyButton label="Copy" text={text} />
          <a
            href={file}
            download="tara-recovery-codes.txt"
            className={buttonClass({ variant: 'secondary', size: 'sm' })}
          >
            <Icon of={Download} size={16} />
            Download
          </a>
        </div>
        <Button
          block
          pending={isLeaving}
          onClick={() => {
            setIsLeaving(true);
            void onDone();
          }}
        >
          I have saved them
        </Button>
      </Card>
    </Page>
  );
}

/** What is set up, for an admin who comes from the settings. */
function StatusPage({ onRenewed }: { onRenewed: (recoveryCodes: string[]) => void }) {
  const { createdAt, recoveryCodesLeft } = useLoaded(queryOf(secondFactor.status));
  const renew = useCall(secondFactor.renewRecoveryCodes, {
    onSuccess: ({ recoveryCodes }) => onRenewed(recoveryCodes),
  });
  return (
    <Page
      title="Second factor"
      width="form"
      intro="Admin pages open with a code from your authenticator app."
    >
      <Card className="flex flex-col gap-4">
        {createdAt !== null && (
          <p>
            Set up: <TimeLabel iso={createdAt} />. Recovery codes left: {recoveryCodesLeft}.
          </p>
        )}
        <Button variant="secondary" pending={renew.isPending} onClick={() => renew.mutate({})}>
          Make new recovery codes
        </Button>
        <p className="text-sm text-ink-soft">
          New codes replace the earlier ones. For another phone, ask whoever runs this server to reset your
          second factor.
        </p>
      </Card>
    </Page>
  );
}
