import { Link } from '@tanstack/react-router';
import { devices, type PushDevice } from '@tara/contract/notifications/devices';
import { useState } from 'react';
import { showErrorToast } from '../../lib/call.ts';
import { pushSupport } from '../../lib/push-choice.ts';
import { invalidate, queryOf, useCall, useLoaded } from '../../lib/queries.ts';
import { Button, buttonClass } from '../../ui/Button.tsx';
import { Checkbox } from '../../ui/Field.tsx';
import { toast } from '../../ui/feedback.ts';
import { Badge } from '../../ui/marks.tsx';
import { SettingsRow, SettingsSection } from '../../ui/Settings.tsx';
import { TimeLabel } from '../../ui/TimeLabel.tsx';
import { deviceIcon, deviceLabel, thisDevice } from './labels.ts';
import { refusals, turnOnHere } from './turn-on.ts';

/** What notifies the member, and notifications while Tara is closed: on this device, and all that get them, each with a test. */
export function NotificationSection({ accountId }: { accountId: string }) {
  const { devices: list } = useLoaded(queryOf(devices.list));
  const current = list.find((device) => device.current);
  const inOrder = [...list].sort((one, other) => Number(other.current) - Number(one.current));
  return (
    <SettingsSection title="Notifications" id="notifications">
      <SettingsRow label="What reaches you" value="By which ways, quiet hours, and a pause.">
        <Link
          to="/settings/notifications"
          aria-label="Choose what notifies you"
          className={buttonClass({ variant: 'secondary', size: 'sm' })}
        >
          Choose
        </Link>
      </SettingsRow>
      <ThisDevice accountId={accountId} current={current} />
      {current && <TextSwitch device={current} />}
      {inOrder.map((device) => (
        <DeviceRow key={device.id} device={device} />
      ))}
    </SettingsSection>
  );
}

function ThisDevice({ accountId, current }: { accountId: string; current: PushDevice | undefined }) {
  const [isPending, setIsPending] = useState(false);
  const support = pushSupport();
  const switchTo = async (change: () => Promise<unknown>) => {
    setIsPending(true);
    await change().catch(showErrorToast);
    setIsPending(false);
  };
  const turnOff = async ({ id }: PushDevice) => {
    const { turnOffPush } = await import('../../lib/push.ts');
    await turnOffPush(id);
    await invalidate(devices.list);
  };
  if (support !== 'supported') return <SettingsRow label={`On ${thisDevice()}`} value={refusals[support]} />;
  return (
    <SettingsRow
      label={`On ${thisDevice()}`}
      value={
        current
          ? 'You hear about messages and requests, also while Tara is closed.'
          : 'Off: you hear about messages and requests only while Tara is open.'
      }
    >
      <Button
        variant={current ? 'secondary' : 'primary'}
        size="sm"
        pending={isPending}
        aria-label={current ? 'Turn notifications off' : 'Turn notifications on'}
        onClick={() => void switchTo(() => (current ? turnOff(current) : turnOnHere(accountId)))}
      >
        {current ? 'Turn off' : 'Turn on'}
      </Button>
    </SettingsRow>
  );
}

function TextSwitch({ device: { id, showsText } }: { device: PushDevice }) {
  const update = useCall(devices.update, { invalidates: [devices.list] });
  const isOn = update.isPending ? update.variables.body.showsText : showsText;
  return (
    <li className="px-4 py-1.5 sm:px-5">
      <Checkbox
        label="Show texts"
        hint={`What others write, and more than the title of a notification, also on the lock screen of ${thisDevice()}.`}
        checked={isOn}
        onChange={({ target }) =>
          !update.isPending && update.mutate({ body: { deviceId: id, showsText: target.checked } })
        }
      />
    </li>
  );
}

const testTexts = {
  accepted: { title: 'The test is on its way.', text: 'It arrives within some seconds.', tone: 'success' },
  gone: {
    title: 'This device gets no notifications any more',
    text: 'Its browser has ended them. Turn them on there again.',
    tone: 'danger',
  },
  refused: {
    title: 'The test was refused',
    text: 'The push service of this browser did not take it. Turn notifications off and on there.',
    tone: 'danger',
  },
  later: {
    title: 'The test was not sent',
    text: 'The push service of this browser is busy or away. Please try again in a moment.',
    tone: 'danger',
  },
} as const;

function DeviceRow({ device }: { device: PushDevice }) {
  const { id, current, renewedAt } = device;
  const invalidates = [devices.list];
  const test = useCall(devices.test, {
    invalidates,
    onSuccess: ({ outcome }) => toast(testTexts[outcome]),
  });
  const remove = useCall(devices.remove, { invalidates });
  const name = deviceLabel(device);
  return (
    <SettingsRow
      icon={deviceIcon(device)}
      label={name}
      value={
        <>
          Last used: <TimeLabel iso={renewedAt} />
        </>
      }
      note={current && <Badge tone="leaf">This device</Badge>}
    >
      <span className="flex flex-col items-stretch gap-2 sm:flex-row">
        <Button
          variant="secondary"
          size="sm"
          pending={test.isPending}
          aria-label={`Test ${name}`}
          onClick={() => test.mutate({ body: { deviceId: id } })}
        >
          Test
        </Button>
        {!current && (
          <Button
            variant="ghost"
            size="sm"
            pending={remove.isPending}
            aria-label={`Remove ${name}`}
            onClick={() => remove.mutate({ body: { deviceId: id } })}
          >
            Remove
          </Button>
        )}
      </span>
    </SettingsRow>
  );
}
