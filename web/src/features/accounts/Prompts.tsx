// biome-ignore lint/style/noRestrictedImports: whether there is a password, for a dialog, which waits for it.
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { accounts } from '@tara/contract/accounts/accounts';
import { CurrentPassword } from '@tara/contract/accounts/forms';
import { SecondFactorCode, secondFactor } from '@tara/contract/accounts/second-factor';
import { type ReactNode, useId, useState } from 'react';
import type { FieldValues } from 'react-hook-form';
import * as z from 'zod/mini';
import { call, usePrompt } from '../../lib/call.ts';
import { type FormHandle, useForm } from '../../lib/form.tsx';
import { Form, SubmitButton, TextField } from '../../lib/form-fields.tsx';
import { queryOf } from '../../lib/queries.ts';
import { Button, buttonClass, linkClass } from '../../ui/Button.tsx';
import { ResponsiveDialog } from '../../ui/Overlays.tsx';
import { CurrentPasswordField, passwordMissingTitle } from './AccountFields.tsx';
import { useSession } from './session.ts';
import { useDemo } from './use-demo.ts';

// The prompts for the password and for a code of the second factor, which sensitive calls need. Apart from the other fields
// of accounts, because guests never load them.

const OwnPassword = z.strictObject({ password: CurrentPassword });

interface PromptDialogProps {
  asks: 'password' | 'code';
  title: string;
  description: string;
  form: Pick<FormHandle<FieldValues>, 'clear' | 'element' | 'status' | 'submit' | 'waitSeconds'>;
  children: ReactNode;
}

/** Opens when a call needs what it asks for; then the call is repeated. */
function PromptDialog({ asks, title, description, form, children }: PromptDialogProps) {
  const prompt = usePrompt();
  const id = useId();
  const isSending = form.status === 'sending';
  const cancel = () => {
    if (isSending) return;
    form.clear();
    prompt.answer(false);
  };
  return (
    <ResponsiveDialog
      open={prompt.asks === asks}
      onOpenChange={(next) => !next && cancel()}
      title={title}
      description={`${description} You are asked again after 15 minutes.`}
      actions={
        <>
          <Button variant="secondary" onClick={cancel}>
            Cancel
          </Button>
          <SubmitButton form={form} formId={id} pendingLabel="Checking...">
            Confirm
          </SubmitButton>
        </>
      }
    >
      <Form form={form} id={id} className="flex flex-col gap-2 pb-1">
        {children}
      </Form>
    </ResponsiveDialog>
  );
}

/**
 * What is read before the dialog opens, so that no dialog is replaced: only when it is asked for, and once. Where it cannot
 * be read, the password is asked for.
 */
const readOnce = { retry: false, refetchOnWindowFocus: false, refetchOnReconnect: false } as const;

/** Asks for the password before what needs a recent one. Who has none sets it first. */
export function ConfirmPassword() {
  const isAsked = usePrompt(({ asks }) => asks === 'password');
  const { data: settings, isLoading } = useQuery({
    ...{ ...queryOf(accounts.settings), ...readOnce },
    enabled: isAsked,
  });
  if (isLoading) return null;
  return settings?.passwordUpdatedAt === null ? (
    <PromptWithoutPassword isAsked={isAsked} />
  ) : (
    <EnterPassword />
  );
}

/** Where a member who joined without a password sets one. */
function PromptWithoutPassword({ isAsked }: { isAsked: boolean }) {
  const { answer } = usePrompt();
  return (
    <ResponsiveDialog
      open={isAsked}
      onOpenChange={(next) => !next && answer(false)}
      title={passwordMissingTitle}
      description="This asks for your password, which keeps your account safe if somebody else uses this device. You have none yet: set it in your settings, then come back."
      actions={
        <>
          <Button variant="secondary" onClick={() => answer(false)}>
            Cancel
          </Button>
          <Link to="/settings" className={buttonClass()} onClick={() => answer(false)}>
            Open settings
          </Link>
        </>
      }
    />
  );
}

function EnterPassword() {
  const { answer } = usePrompt();
  const { account } = useSession();
  const form = useForm({
    schema: OwnPassword,
    defaultValues: { password: '' },
    clears: true,
    send: (body) => call(accounts.confirmPassword, { body }),
    onSuccess: () => answer(true),
    failureField: 'password',
  });
  return (
    <PromptDialog
      asks="password"
      title="Confirm your password"
      description="This keeps your account safe if somebody else uses this device."
      form={form}
    >
      <CurrentPasswordField form={form} name="password" email={account.email} label="Password" lines={2} />
    </PromptDialog>
  );
}

type CodeHandle = FormHandle<SecondFactorCode, SecondFactorCode>;

/** The form that shows the second factor by a code. */
export const useCodeForm = (onSuccess: () => unknown): CodeHandle =>
  useForm({
    schema: SecondFactorCode,
    defaultValues: { code: '' },
    clears: true,
    send: (body) => call(secondFactor.confirm, { body }),
    onSuccess,
    failureField: 'code',
  });

/** Six digits of an authenticator app. */
export function AppCodeField({ form }: { form: Pick<CodeHandle, 'control'> }) {
  return (
    <TextField
      form={form}
      name="code"
      label="Code"
      lines={2}
      inputMode="numeric"
      autoComplete="one-time-code"
      maxLength={7}
    />
  );
}

interface CodeFieldsProps {
  form: CodeHandle;
  /** What sends the form, where nothing else does. */
  children?: ReactNode;
}

/** A code of the app or, where that is lost, a recovery code: the other way stands last. */
export function CodeFields({ form, children }: CodeFieldsProps) {
  const [usesRecoveryCode, setUsesRecoveryCode] = useState(false);
  return (
    <>
      {usesRecoveryCode ? (
        <TextField
          form={form}
          name="code"
          label="Recovery code"
          hint="Each works once."
          lines={2}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={40}
        />
      ) : (
        <AppCodeField form={form} />
      )}
      <DemoCode />
      {children}
      <button
        type="button"
        className={`${linkClass} min-h-11 self-start text-sm`}
        onClick={() => {
          form.clear();
          setUsesRecoveryCode(!usesRecoveryCode);
        }}
      >
        {usesRecoveryCode ? 'Use a code from the app' : 'Use a recovery code'}
      </button>
    </>
  );
}

/** The code of an admin of the demo world, which nobody has in an app. Renders nothing elsewhere. */
function DemoCode() {
  const { email } = useSession().account;
  const code = useDemo()?.accounts.find((account) => account.email === email)?.code;
  if (!code) return null;
  return (
    <p className="rounded-control bg-mango-soft p-3 text-sm text-mango-ink">
      In the demo there is no app: the code is <strong className="font-semibold">{code}</strong>.
    </p>
  );
}

/** Asks for a code before what needs a recent second factor. */
export function ConfirmSecondFactor() {
  const { answer } = usePrompt();
  const form = useCodeForm(() => answer(true));
  return (
    <PromptDialog
      asks="code"
      title="Enter your code"
      description="This action needs a code from your authenticator app."
      form={form}
    >
      <CodeFields form={form} />
    </PromptDialog>
  );
}

/** Rendered once in the layout: asks for what sensitive calls need. */
export function Prompts() {
  return (
    <>
      <ConfirmPassword />
      <ConfirmSecondFactor />
    </>
  );
}
