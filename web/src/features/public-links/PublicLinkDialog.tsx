// biome-ignore lint/style/noRestrictedImports: whether a link is on, in a dialog, whose buttons wait for it.
import { useQuery } from '@tanstack/react-query';
import { publicLinks } from '@tara/contract/members/public-links';
import { ExternalLink } from 'lucide-react';
import { queryOf, setQueryData, useCall } from '../../lib/queries.ts';
import { Button, TextLink } from '../../ui/Button.tsx';
import { CopyLink } from '../../ui/CopyLink.tsx';
import { confirm, toast } from '../../ui/feedback.ts';
import { Icon } from '../../ui/Icon.tsx';
import { ResponsiveDialog } from '../../ui/Overlays.tsx';
import { ErrorState, Skeleton } from '../../ui/Page.tsx';

interface PublicLinkDialogProps {
  /** The plan whose page it is; without one the invitation. */
  planId?: string;
  open: boolean;
  onClose: () => void;
}

const TEXTS = {
  invitation: {
    title: 'Invite friends',
    description:
      'A link for friends who are not on Tara yet. Whoever has it sees your first name and your picture, and nothing else of you. It is off until you switch it on, and you can end it at any time.',
    label: 'Your invitation',
    subject: 'Join me on Tara',
    on: 'Make my link',
    ended: 'Your invitation has ended.',
  },
  plan: {
    title: 'Public page',
    description:
      'A page of this plan for people who are not on Tara yet. It shows the cover, the title, the price, the stars and your first name, and neither the place nor your profile. While the plan takes no requests, nobody sees it. It is off until you switch it on, and you can end it at any time.',
    label: 'Link to the page',
    subject: 'A plan on Tara',
    on: 'Show this plan in public',
    ended: 'The page of this plan has ended.',
  },
} as const;

const endQuestion = {
  title: 'End this link?',
  text: 'It stops working for everybody who has it. You can make another one.',
  confirmLabel: 'End it',
  tone: 'danger',
} as const;

/** Switches a public link on and off, and passes it on. */
export default function PublicLinkDialog({ planId, open, onClose }: PublicLinkDialogProps) {
  const texts = planId === undefined ? TEXTS.invitation : TEXTS.plan;
  const where = { query: planId === undefined ? {} : { planId } };
  const body = where.query;
  const own = useQuery({ ...queryOf(publicLinks.own, where), enabled: open, staleTime: 0 });
  const create = useCall(publicLinks.create, {
    onSuccess: (reply) => setQueryData(publicLinks.own, where, reply),
  });
  const revoke = useCall(publicLinks.revoke, {
    onSuccess: () => {
      setQueryData(publicLinks.own, where, { link: null });
      toast({
        title: texts.ended,
        text: 'A picture that others have loaded can stay with them for 5 minutes, and apps where you posted the link may keep their preview.',
        tone: 'success',
      });
    },
  });
  const link = own.data?.link ?? null;
  return (
    <ResponsiveDialog
      open={open}
      onOpenChange={(next) => !next && onClose()}
      title={texts.title}
      description={texts.description}
      actions={
        own.data &&
        (link ? (
          <Button
            key="end"
            variant="danger"
            icon={null}
            pending={revoke.isPending}
            onClick={async () => {
              if (await confirm(endQuestion)) revoke.mutate({ body });
            }}
          >
            End this link
          </Button>
        ) : (
          <Button key="make" pending={create.isPending} onClick={() => create.mutate({ body })}>
            {texts.on}
          </Button>
        ))
      }
    >
      {own.isPending ? (
        <Skeleton width="70%" />
      ) : own.isError ? (
        <ErrorState onRetry={() => void own.refetch()} retrying={own.isFetching} />
      ) : (
        link && (
          <div className="flex flex-col gap-1 pb-1">
            <CopyLink label={texts.label} url={link.url} title={texts.subject} />
            <TextLink href={link.url} className="flex min-h-11 w-fit items-center gap-1.5 font-medium">
              See what others see
              <Icon of={ExternalLink} size={16} />
              <span className="sr-only">, in a new tab</span>
            </TextLink>
          </div>
        )
      )}
    </ResponsiveDialog>
  );
}
