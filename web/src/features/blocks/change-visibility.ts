import { blocks } from '@tara/contract/members/blocks';
import type { Person } from '@tara/contract/members/profiles';
import { call, showErrorToast } from '../../lib/call.ts';
import { queryClient } from '../../lib/queries.ts';
import { confirm, toast } from '../../ui/feedback.ts';

export type Member = Pick<Person, 'id' | 'name'>;
type Change = 'block' | 'unblock' | 'mute' | 'unmute';

/** What each change asks before it is made, says once it is made, and by which change it is undone. */
const changes = {
  block: {
    question: ({ name }: Member) => ({
      title: `Block ${name}?`,
      text: `You will no longer see each other anywhere in Tara, and cannot write to each other. ${name} is not notified. A request that is open between you stays in your Plan Manager until it is over.`,
      confirmLabel: 'Block',
      tone: 'danger' as const,
    }),
    done: ({ name }: Member) => `You blocked ${name}.`,
    undo: 'unblock',
  },
  unblock: {
    question: ({ name }: Member) => ({
      title: `Unblock ${name}?`,
      text: 'You can see and find each other again, unless the other blocked you too.',
      confirmLabel: 'Unblock',
    }),
    done: ({ name }: Member) => `You unblocked ${name}.`,
    undo: 'block',
  },
  mute: {
    question: ({ name }: Member) => ({
      title: `Mute ${name}?`,
      text: `You will not see posts, comments and reviews by ${name}. Chats and requests stay, and ${name} is not notified.`,
      confirmLabel: 'Mute',
    }),
    done: ({ name }: Member) => `You muted ${name}.`,
    undo: 'unmute',
  },
  unmute: {
    question: () => null,
    done: ({ name }: Member) => `You see what ${name} shares again.`,
    undo: 'mute',
  },
} as const;

/** Makes a change without asking; the toast offers to undo it. Every list may show it, so all are fetched again. */
async function apply(change: Change, member: Member): Promise<void> {
  try {
    await call(blocks[change], { body: { profileId: member.id } });
  } catch (error) {
    showErrorToast(error);
    return;
  }
  const { done, undo } = changes[change];
  const action = { label: 'Undo', onPress: () => void apply(undo, member) };
  toast({ title: done(member), tone: 'success', action });
  await queryClient.invalidateQueries();
}

/**
 * Asks, and then blocks or mutes a member, or ends that.
 * @param onConfirmed runs before the call: a screen of a member who is about to be hidden is left.
 */
export async function changeVisibility(
  change: Change,
  member: Member,
  onConfirmed?: () => Promise<unknown>,
): Promise<void> {
  const question = changes[change].question(member);
  if (question && !(await confirm(question))) return;
  await onConfirmed?.();
  await apply(change, member);
}
