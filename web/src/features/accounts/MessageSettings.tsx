import { type ChatSettings, conversations, messagesFromChoices } from '@tara/contract/conversations';
import { queryOf, setQueryDataOf, useCall, useLoaded } from '../../lib/queries.ts';
import { Checkbox, controlClass, Field, useFieldControl } from '../../ui/Field.tsx';
import { announce } from '../../ui/feedback.ts';
import { SettingsSection } from './SettingsSection.tsx';

const choiceLabels: Record<ChatSettings['messagesFrom'], string> = {
  everyone: 'Everyone',
  verified: 'Verified members',
  plans: 'People I have a plan with',
  nobody: 'Nobody',
};

/** Who may write to the member, and what others see of them; each choice is stored at once. */
export function MessageSettings() {
  const stored = useLoaded(queryOf(conversations.settings));
  const update = useCall(conversations.updateSettings, {
    onSuccess: (settings) => {
      setQueryDataOf(conversations.settings, {}, settings);
      announce('Your choice was saved.');
    },
  });
  const settings = update.isPending ? { ...stored, ...update.variables.body } : stored;
  const store = (body: Partial<ChatSettings>) => !update.isPending && update.mutate({ body });
  return (
    <SettingsSection title="Messages">
      <li className="px-4 py-3 sm:px-5">
        <Field label="Who may write to me" hint="This is about new chats. Chats that you have stay open.">
          <MessagesFromSelect
            value={settings.messagesFrom}
            onChange={(messagesFrom) => store({ messagesFrom })}
          />
        </Field>
      </li>
      <li className="px-4 py-1.5 sm:px-5">
        <Checkbox
          label="Read marks"
          hint="Others see what you have read. Off, you do not see theirs either."
          checked={settings.showReadMarks}
          onChange={({ target }) => store({ showReadMarks: target.checked })}
        />
      </li>
      <li className="px-4 py-1.5 sm:px-5">
        <Checkbox
          label="Last seen"
          hint="People you chat with see when you are online, and when you were last."
          checked={settings.showLastSeen}
          onChange={({ target }) => store({ showLastSeen: target.checked })}
        />
      </li>
    </SettingsSection>
  );
}

interface MessagesFromSelectProps {
  value: ChatSettings['messagesFrom'];
  onChange: (value: ChatSettings['messagesFrom']) => void;
}

function MessagesFromSelect({ value, onChange }: MessagesFromSelectProps) {
  const control = useFieldControl({});
  return (
    <select
      {...control}
      value={value}
      onChange={(event) => onChange(event.target.value as ChatSettings['messagesFrom'])}
      className={`${controlClass} pr-9`}
    >
      {messagesFromChoices.map((choice) => (
        <option key={choice} value={choice}>
          {choiceLabels[choice]}
        </option>
      ))}
    </select>
  );
}
