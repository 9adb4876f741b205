import { Link } from '@tanstack/react-router';
import { accounts } from '@tara/contract/accounts';
import { type Plan, type PlanDetail, plans } from '@tara/contract/plans';
import { Handshake, Lock, LockOpen, Pencil } from 'lucide-react';
import { setQueryDataOf, useCall } from '../../lib/queries.ts';
import { Button, buttonClass } from '../../ui/Button.tsx';
import { confirm } from '../../ui/confirm.ts';
import { Icon } from '../../ui/Icon.tsx';
import { toast } from '../../ui/toast.ts';

/** What its creator does with a plan: see its requests, edit it, close it or open it again. */
export function OwnPlan({ detail }: { detail: PlanDetail }) {
  const { id, closedAt, creator } = detail.plan;
  const changed = {
    // totalPlan may have changed.
    invalidates: [plans.byCreator, accounts.session],
    onSuccess: (plan: Plan) => {
      setQueryDataOf(plans.get, { params: { id } }, { ...detail, plan });
      toast({ title: plan.closedAt ? 'Your plan is closed.' : 'Your plan is open again.', tone: 'success' });
    },
  };
  const close = useCall(plans.close, changed);
  const reopen = useCall(plans.reopen, changed);
  const change = async () => {
    if (closedAt !== null) return reopen.mutate({ body: { planId: id } });
    const isSure = await confirm({
      title: 'Close this plan?',
      text: 'It takes no new requests. Those that are open go on, and you can open it again.',
      confirmLabel: 'Close plan',
      cancelLabel: 'Leave it open',
    });
    if (isSure) close.mutate({ body: { planId: id } });
  };
  const quiet = buttonClass({ variant: 'secondary', size: 'sm' });
  return (
    <section aria-label="Your plan" className="flex flex-wrap items-center gap-2 rounded-card bg-sunken p-4">
      <p className="w-full font-semibold">This is your own plan.</p>
      <Link to="/update-plan/$id" params={{ id }} className={quiet}>
        <Icon of={Pencil} size={16} />
        Edit plan
      </Link>
      <Button
        variant="secondary"
        size="sm"
        icon={<Icon of={closedAt === null ? Lock : LockOpen} size={16} />}
        pending={close.isPending || reopen.isPending}
        onClick={() => void change()}
      >
        {closedAt === null ? 'Close plan' : 'Open again'}
      </Button>
      <Link to="/profile/friend-request/$id" params={{ id: creator.id }} className={quiet}>
        <Icon of={Handshake} size={16} />
        See who requested it
      </Link>
    </section>
  );
}
