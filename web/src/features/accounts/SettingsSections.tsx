import { Link } from '@tanstack/react-router';
import { personalData } from '@tara/contract/accounts/personal-data';
import { type ChatSettings, conversations, messagesFromChoices } from '@tara/contract/messages/conversations';
import { invalidate, queryOf, setQueryData, useCall, useLoaded } from '../../lib/queries.ts';
import { Button, buttonClass } from '../../ui/Button.tsx';
import { Checkbox, Field, Select } from '../../ui/Field.tsx';
import { announce, toast } from '../../ui/feedback.ts';
import { SettingsRow, SettingsSection } from '../../ui/Settings.tsx';

const choiceLabels: Record<ChatSettings['messagesFrom'], string> = {
  everyone: 'Everyone',
  verified: 'Verified members',
  plans: 'People I have a plan with',
  nobody: 'Nobody',
};

const switches = [
  {
    name: 'showReadMarks',
    label: 'Read marks',
    hint: 'Others see what you have read. Off, you do not see theirs either.',
  },
  {
    name: 'showLastSeen',
    label: 'Last seen',
    hint: 'People you chat with see when you are online, and when you were last.',
  },
] as const;

/** Changes are stored one after the other, so that the last reply has all of them. */
const scope = { id: 'chatSettings' };

/** Who may write to the member, and what others see of them; each choice is stored at once. */
export function MessageSettings() {
  const stored = useLoaded(queryOf(conversations.settings));
  const update = useCall(conversations.updateSettings, {
    scope,
    // Shown at once: another change can follow before this one is stored.
    onMutate: ({ body }) => setQueryData(conversations.settings, {}, { ...stored, ...body } as ChatSettings),
    onSuccess: (settings) => {
      setQueryData(conversations.settings, {}, settings);
      announce('Your choice was saved.');
    },
    onError: () => invalidate(conversations.settings),
  });
  const settings = update.isPending ? { ...stored, ...update.variables.body } : stored;
  const store = (body: Partial<ChatSettings>) => update.mutate({ body });
  return (
    <SettingsSection title="Messages">
      <li className="px-4 py-3 sm:px-5">
        <Field label="Who may write to me" hint="This is about new chats. Chats that you have stay open.">
          <Select
            value={settings.messagesFrom}
            onChange={({ target }) => store({ messagesFrom: target.value as ChatSettings['messagesFrom'] })}
          >
            {messagesFromChoices.map((choice) => (
              <option key={choice} value={choice}>
                {choiceLabels[choice]}
              </option>
            ))}
          </Select>
        </Field>
      </li>
      {switches.map(({ name, label, hint }) => (
        <li key={name} className="px-4 py-1.5 sm:px-5">
          <Checkbox
            label={label}
            hint={hint}
            checked={settings[name]}
            onChange={({ target }) => store({ [name]: target.checked })}
          />
        </li>
      ))}
    </SettingsSection>
  );
}

/** Everything Tara has of the member: to take along, or to delete. */
export function YourData() {
  const { latestExport, nextExportAt } = useLoaded({
    ...queryOf(personalData.get),
    // While it is being made.
    refetchInterval: ({ state }) =>
      state.data?.latestExport?.expiresAt === null ? EXPORT_INTERVAL_MS : false,
  });
  const request = useCall(personalData.requestExport, {
    invalidates: [personalData.get],
    onSuccess: () =>
      toast({
        title: 'We are collecting your data',
        text: 'You get an email when it is ready.',
        tone: 'success',
      }),
  });
  const download = useCall(personalData.prepareDownload, {
    onSuccess: ({ url }) => location.assign(url),
  });
  const isReady = latestExport !== null && latestExport.expiresAt !== null;
  const isWaiting = latestExport !== null && latestExport.expiresAt === null;
  return (
    <SettingsSection title="Your data" id="your-data">
      <SettingsRow
        label="Download my data"
        value={
          isWaiting
            ? 'We are collecting it. You get an email when it is ready.'
            : isReady
              ? `Ready: ${megabytes(latestExport.sizeBytes ?? 0)}, until ${dayOf(latestExport.expiresAt ?? '')}.`
              : 'A zip file with your records and pictures.'
        }
      >
        {isReady ? (
          <Button
            variant="secondary"
            size="sm"
            aria-label="Download my data"
            pending={download.isPending}
            onClick={() => download.mutate({ body: { id: latestExport.id } })}
          >
            Download
          </Button>
        ) : (
          <Button
            variant="secondary"
            size="sm"
            aria-label="Request my data"
            pending={request.isPending}
            disabledReason={
              isWaiting ? 'It is on its way.' : nextExportAt !== null && 'You can request it once a day.'
            }
            onClick={() => request.mutate({})}
          >
            Request
          </Button>
        )}
      </SettingsRow>
      <SettingsRow label="Delete my account" value="You can undo it for 14 days.">
        <Link
          to="/settings/delete"
          aria-label="Delete my account"
          className={buttonClass({ variant: 'danger', size: 'sm' })}
        >
          Delete
        </Link>
      </SettingsRow>
    </SettingsSection>
  );
}

/** How often the screen looks whether an export is ready. */
const EXPORT_INTERVAL_MS = 5_000;

const dayMonth = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long' });
const dayOf = (iso: string) => dayMonth.format(new Date(iso));
const megabytes = (bytes: number) => `${Math.max(0.1, bytes / 1024 / 1024).toFixed(1)} MB`;
