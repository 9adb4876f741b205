import { Link } from '@tanstack/react-router';
import { dailyEmailHour, notificationPauseHours } from '@tara/contract/limits';
import {
  type NotificationChannel,
  notificationChannelNames,
  notificationChannels,
} from '@tara/contract/notifications/channels';
import { notificationGroups } from '@tara/contract/notifications/groups';
import { type NotificationSettings, notificationSettings } from '@tara/contract/notifications/settings';
import { ArrowLeft } from 'lucide-react';
import { invalidate, queryClient, queryOf, setQueryData, useCall, useLoaded } from '../../lib/queries.ts';
import { Button, linkClass } from '../../ui/Button.tsx';
import { Checkbox, Field, Select } from '../../ui/Field.tsx';
import { announce } from '../../ui/feedback.ts';
import { Icon } from '../../ui/Icon.tsx';
import { Card, Page } from '../../ui/Page.tsx';
import { SettingsRow, SettingsSection } from '../../ui/Settings.tsx';
import { exactTime, useNow } from '../../ui/TimeLabel.tsx';

const settingsQuery = queryOf(notificationSettings.get);
/** Changes are stored one after the other, so that the last reply has all of them. */
const scope = { id: 'notificationSettings' };

/** Shows what was stored, and says so. */
function showStored(settings: NotificationSettings): void {
  setQueryData(notificationSettings.get, {}, settings);
  announce('Your choice was saved.');
}

/** `/settings/notifications`: by which ways what happens reaches the member, and when it does not. */
export function NotificationSettingsScreen() {
  const settings = useLoaded(settingsQuery);
  return (
    <Page title="What notifies you">
      <div className="flex flex-col gap-8">
        <Link
          to="/settings"
          className="touch -mt-2 flex items-center gap-2 self-start font-semibold text-ink-soft hover:text-ink"
        >
          <Icon of={ArrowLeft} size={18} />
          Settings
        </Link>
        <Choices settings={settings} />
        <Timing settings={settings} />
        <Pause pausedUntil={settings.pausedUntil} />
      </div>
    </Page>
  );
}

type Choice = NotificationSettings['choices'][number];

/** Groups by ways. A further way is one more column. */
function Choices({ settings: { choices, getsPushes } }: { settings: NotificationSettings }) {
  return (
    <section aria-labelledby="ways">
      <h2 id="ways" className="mb-2 flex min-h-9 items-center px-1 text-lg font-semibold">
        How it reaches you
      </h2>
      <Card padding="none">
        <table className="w-full border-collapse text-left">
          <thead>
            <tr className="border-b border-line text-sm text-ink-soft">
              <th scope="col" className="py-2 pl-4 font-semibold sm:pl-5">
                <span className="sr-only">What</span>
              </th>
              {notificationChannelNames.map((channel) => (
                <th key={channel} scope="col" className="w-16 px-1 py-2 text-center font-semibold sm:w-28">
                  {notificationChannels[channel].label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody className="divide-y divide-line">
            {[...Map.groupBy(choices, ({ group }) => group)].map(([group, cells]) => (
              <tr key={group}>
                <th scope="row" className="py-2 pl-4 font-normal sm:pl-5">
                  <span className="block font-medium">{notificationGroups[group].label}</span>
                  <span className="block text-sm text-ink-soft">{notificationGroups[group].about}</span>
                </th>
                {cells.some(({ canSwitchOff }) => canSwitchOff) ? (
                  notificationChannelNames.map((channel) => (
                    <td key={channel} className="px-1 text-center">
                      <ChoiceBox choice={cells.find((cell) => cell.channel === channel)} channel={channel} />
                    </td>
                  ))
                ) : (
                  <td
                    colSpan={notificationChannelNames.length}
                    className="px-1 text-center text-sm text-ink-soft"
                  >
                    Always on
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </Card>
      {!getsPushes && (
        <p className="mt-2 px-1 text-sm text-ink-soft">
          No device gets pushes yet. You turn them on{' '}
          <Link to="/settings" hash="notifications" className={linkClass}>
            in the settings
          </Link>
          , on each device.
        </p>
      )}
    </section>
  );
}

/** One box of the table; nothing where the group never takes the way. */
function ChoiceBox({ choice, channel }: { choice: Choice | undefined; channel: NotificationChannel }) {
  const choose = useCall(notificationSettings.choose, {
    scope,
    onSuccess: (_reply, { body: { group, isOn } }) => {
      const stored = queryClient.getQueryData(settingsQuery.queryKey);
      // This box alone: another one can wait to be stored.
      if (stored)
        showStored({
          ...stored,
          choices: stored.choices.map((other) =>
            other.group === group && other.channel === channel ? { ...other, isOn } : other,
          ),
        });
    },
  });
  if (choice === undefined) return null;
  const { group } = choice;
  const isOn = choose.isPending ? choose.variables.body.isOn : choice.isOn;
  return (
    <label className="inline-flex size-11 items-center justify-center align-middle">
      <span className="sr-only">
        {notificationGroups[group].label}: {notificationChannels[channel].label}
      </span>
      <input
        type="checkbox"
        className="size-5 rounded-sm accent-lagoon"
        checked={isOn}
        onChange={({ target }) => choose.mutate({ body: { group, channel, isOn: target.checked } })}
      />
    </label>
  );
}

const hours = Array.from({ length: 24 }, (_, hour) => hour);

/** The quiet hours that one begins with. */
const proposedHours = { from: 22, until: 7 };

/** '10 PM', and words where people mix up the two. */
function hourLabel(hour: number): string {
  if (hour === 0) return 'Midnight';
  if (hour === 12) return 'Noon';
  return `${hour % 12} ${hour < 12 ? 'AM' : 'PM'}`;
}

/** The time zones that this browser knows, and the one that is chosen. */
const zoneNames = (chosen: string) =>
  [...new Set(['Asia/Manila', chosen, ...Intl.supportedValuesOf('timeZone')])].sort();
const zoneLabel = (name: string) => name.replaceAll('_', ' ');

/** When the daily email comes, and at which hours nothing does. */
function Timing({ settings: stored }: { settings: NotificationSettings }) {
  const update = useCall(notificationSettings.update, {
    ...{ scope, onSuccess: showStored },
    // Shown at once: another change can follow before this one is stored.
    onMutate: ({ body }) =>
      setQueryData(notificationSettings.get, {}, { ...stored, ...body } as NotificationSettings),
    onError: () => invalidate(notificationSettings.get),
  });
  const { dailyEmail, quietHours, timeZone } = update.isPending
    ? { ...stored, ...update.variables.body }
    : stored;
  const store = (body: Parameters<typeof update.mutate>[0]['body']) => update.mutate({ body });
  const ownZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return (
    <SettingsSection title="When it reaches you">
      <li className="px-4 py-1.5 sm:px-5">
        <Checkbox
          label="Daily email"
          hint={
            stored.getsPushes
              ? 'Comes only while none of your devices gets pushes.'
              : `At ${hourLabel(dailyEmailHour)}, what you have not seen by then. What is about money and safety comes also without it.`
          }
          checked={dailyEmail}
          onChange={({ target }) => store({ dailyEmail: target.checked })}
        />
      </li>
      <li className="px-4 py-1.5 sm:px-5">
        <Checkbox
          label="Quiet hours"
          hint="What comes in them arrives at their end, as one. Security, and the reminder of your next plan, do not wait."
          checked={quietHours !== null}
          onChange={({ target }) => store({ quietHours: target.checked ? proposedHours : null })}
        />
        {quietHours && (
          <div className="grid grid-cols-2 gap-3 pt-1 pb-2 pl-8">
            {(['from', 'until'] as const).map((end) => (
              <Field key={end} label={end === 'from' ? 'From' : 'Until'} lines={0}>
                <Select
                  value={quietHours[end]}
                  onChange={({ target }) =>
                    store({ quietHours: { ...quietHours, [end]: Number(target.value) } })
                  }
                >
                  {hours
                    .filter((hour) => hour !== quietHours[end === 'from' ? 'until' : 'from'])
                    .map((hour) => (
                      <option key={hour} value={hour}>
                        {hourLabel(hour)}
                      </option>
                    ))}
                </Select>
              </Field>
            ))}
          </div>
        )}
      </li>
      <li className="px-4 py-3 sm:px-5">
        <Field
          label="Time zone"
          hint="Of the daily email and the quiet hours."
          note={
            ownZone !== timeZone && (
              <>
                This device is in {zoneLabel(ownZone)}.{' '}
                <button type="button" className={linkClass} onClick={() => store({ timeZone: ownZone })}>
                  Use that
                </button>
              </>
            )
          }
        >
          <Select value={timeZone} onChange={({ target }) => store({ timeZone: target.value })}>
            {zoneNames(timeZone).map((name) => (
              <option key={name} value={name}>
                {zoneLabel(name)}
              </option>
            ))}
          </Select>
        </Field>
      </li>
    </SettingsSection>
  );
}

const pauseLabels: Record<(typeof notificationPauseHours)[number], string> = {
  1: '1 hour',
  8: '8 hours',
  24: '1 day',
  168: '1 week',
};

/** Leaves the member alone for a while, and ends by itself. */
function Pause({ pausedUntil }: { pausedUntil: string | null }) {
  const pause = useCall(notificationSettings.pause, { scope, onSuccess: showStored });
  const pauseFor = (count: number) => pause.mutate({ body: { hours: count } });
  const now = useNow();
  return (
    <SettingsSection title="Pause all">
      {pausedUntil === null || Date.parse(pausedUntil) <= now ? (
        <SettingsRow
          label="Not paused"
          value="Security, money, safety and the reminder of your next plan reach you all the same. The list in the app goes on."
          note={
            <span className="flex flex-wrap gap-2 pt-1">
              {notificationPauseHours.map((count) => (
                <Button
                  key={count}
                  variant="secondary"
                  size="sm"
                  aria-label={`Pause for ${pauseLabels[count]}`}
                  pending={pause.isPending && pause.variables.body.hours === count}
                  onClick={() => pauseFor(count)}
                >
                  {pauseLabels[count]}
                </Button>
              ))}
            </span>
          }
        />
      ) : (
        <SettingsRow
          label="Paused"
          value={`Until ${exactTime(pausedUntil)}. What comes until then arrives as one.`}
        >
          <Button variant="secondary" size="sm" pending={pause.isPending} onClick={() => pauseFor(0)}>
            End the pause
          </Button>
        </SettingsRow>
      )}
    </SettingsSection>
  );
}
