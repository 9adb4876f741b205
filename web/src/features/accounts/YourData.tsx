import { Link } from '@tanstack/react-router';
import { personalData } from '@tara/contract/personal-data';
import { queryOf, useCall, useLoaded } from '../../lib/queries.ts';
import { Button, buttonClass } from '../../ui/Button.tsx';
import { toast } from '../../ui/feedback.ts';
import { SettingsRow, SettingsSection } from './SettingsSection.tsx';

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
