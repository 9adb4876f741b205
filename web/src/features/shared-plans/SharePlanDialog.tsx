// biome-ignore lint/style/noRestrictedImports: whether a request is shared, in a dialog, whose button waits for it.
import { useQuery } from '@tanstack/react-query';
import { longDateTime } from '@tara/contract/philippine-time';
import { sharedPlans } from '@tara/contract/plans/shared-plans';
import { useState } from 'react';
import { queryOf, useCall } from '../../lib/queries.ts';
import { Button } from '../../ui/Button.tsx';
import { CopyLink } from '../../ui/CopyLink.tsx';
import { toast } from '../../ui/feedback.ts';
import { ResponsiveDialog } from '../../ui/Overlays.tsx';
import { Skeleton } from '../../ui/Page.tsx';

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
            Your plan is shared until {longDateTime(link.endsAt)}. A link is shown only once: a new one ends
            the one before.
          </p>
        )
      ) : (
        <CopyLink label="Your link, shown only now" url={url} title="My plan on Tara" />
      )}
    </ResponsiveDialog>
  );
}
