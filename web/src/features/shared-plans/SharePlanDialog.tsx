// biome-ignore lint/style/noRestrictedImports: whether a request is shared, in a dialog, whose button waits for it.
import { useQuery } from '@tanstack/react-query';
import { sharedPlans } from '@tara/contract/plans/shared-plans';
import { Copy, Send } from 'lucide-react';
import { useId, useState } from 'react';
import { queryOf, useCall } from '../../lib/queries.ts';
import { Button } from '../../ui/Button.tsx';
import { TextInput } from '../../ui/Field.tsx';
import { toast } from '../../ui/feedback.ts';
import { Icon } from '../../ui/Icon.tsx';
import { ResponsiveDialog } from '../../ui/Overlays.tsx';
import { Skeleton } from '../../ui/Page.tsx';
import { sharingEnd } from './SharedPlanScreen.tsx';

interface SharePlanDialogProps {
  interactionId: string;
  otherName: string;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** Makes, passes on and takes back the link of a request for somebody the member trusts. */
export default function SharePlanDialog({
  interactionId,
  otherName,
  open,
  onOpenChange,
}: SharePlanDialogProps) {
  const [url, setUrl] = useState<string | null>(null);
  const own = useQuery({
    ...queryOf(sharedPlans.own, { params: { id: interactionId } }),
    enabled: open,
    staleTime: 0,
  });
  const invalidates = [sharedPlans.own];
  const create = useCall(sharedPlans.create, { invalidates, onSuccess: (reply) => setUrl(reply.url) });
  const revoke = useCall(sharedPlans.revoke, {
    invalidates,
    onSuccess: () => {
      setUrl(null);
      toast({ title: 'Your plan is no longer shared.', tone: 'success' });
    },
  });
  const body = { interactionId };
  const link = own.data?.link ?? null;
  return (
    <ResponsiveDialog
      open={open}
      onOpenChange={(next) => {
        if (!next) setUrl(null);
        onOpenChange(next);
      }}
      title="Share my plan"
      description={`A link for one person you trust. Whoever has it sees your name, the name of ${otherName} and whether it was checked, the day, the place, and whether the plan is still on. It ends 24 hours after the day, and you can take it back at any time.`}
      actions={
        <>
          {url === null && (
            <Button
              variant={link ? 'secondary' : 'primary'}
              pending={create.isPending || own.isPending}
              onClick={() => create.mutate({ body })}
            >
              {link ? 'Make a new link' : 'Make the link'}
            </Button>
          )}
          {link && (
            <Button
              variant={url === null ? 'danger' : 'secondary'}
              pending={revoke.isPending}
              onClick={() => revoke.mutate({ body })}
            >
              Stop sharing
            </Button>
          )}
        </>
      }
    >
      {own.isPending ? (
        <Skeleton width="70%" />
      ) : url === null ? (
        link && (
          <p>
            Your plan is shared until {sharingEnd(link.endsAt)}. A link is shown only once: a new one ends the
            one before.
          </p>
        )
      ) : (
        <NewLink url={url} />
      )}
    </ResponsiveDialog>
  );
}

/** The link, which nobody can show again. */
function NewLink({ url }: { url: string }) {
  const id = useId();
  const data = { title: 'My plan on Tara', url };
  const canSend = navigator.canShare?.(data) === true;
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(url);
      toast({ title: 'The link is copied.', tone: 'success' });
    } catch {
      // Copying can be forbidden, and is on pages without https: the link can be selected.
      toast({ title: 'The link could not be copied.', tone: 'danger' });
    }
  };
  const send = async () => {
    try {
      await navigator.share(data);
    } catch (error) {
      // The person closed the sheet; any other failure leaves copying.
      if (!(error instanceof DOMException && error.name === 'AbortError')) await copy();
    }
  };
  return (
    <div className="flex flex-col gap-3">
      <label htmlFor={id} className="font-semibold">
        Your link, shown only now
      </label>
      <TextInput id={id} readOnly value={url} onFocus={(event) => event.currentTarget.select()} />
      <div className="flex flex-wrap gap-2">
        {canSend && (
          <Button size="sm" icon={<Icon of={Send} size={16} />} onClick={() => void send()}>
            Send
          </Button>
        )}
        <Button size="sm" variant="secondary" icon={<Icon of={Copy} size={16} />} onClick={() => void copy()}>
          Copy
        </Button>
      </div>
    </div>
  );
}
