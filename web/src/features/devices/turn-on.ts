import { devices } from '@tara/contract/notifications/devices';
import { showErrorToast } from '../../lib/call.ts';
import type { TurnOnResult } from '../../lib/push.ts';
import type { PushSupport } from '../../lib/push-choice.ts';
import { invalidate } from '../../lib/queries.ts';
import { toast } from '../../ui/feedback.ts';
import { thisDevice } from './labels.ts';

/** Why this browser cannot get notifications now. */
export const refusals: Record<Exclude<PushSupport, 'supported'>, string> = {
  unsupported: 'This browser cannot show notifications.',
  install:
    'On an iPhone or iPad they work in the installed app: tap Share, then “Add to Home Screen”, and open Tara from there.',
  denied:
    'Notifications of Tara are blocked in this browser. Allow them in its settings for this site, then come back.',
};

/** Turns notifications on where the person pressed, and says what came of it; `failed` without an answer of the server. */
export async function turnOnHere(accountId: string): Promise<TurnOnResult | 'failed'> {
  try {
    const { turnOnPush } = await import('../../lib/push.ts');
    const result = await turnOnPush(accountId);
    if (result === 'on') toast({ title: `Notifications are on for ${thisDevice()}.`, tone: 'success' });
    else if (result === 'denied')
      toast({ title: 'Notifications stay off', text: refusals.denied, tone: 'danger' });
    else if (result === 'away')
      toast({
        title: 'Notifications could not be turned on',
        text: 'This browser does not reach its push service now. Please try again later, or in another browser.',
        tone: 'danger',
      });
    await invalidate(devices.list);
    return result;
  } catch (error) {
    showErrorToast(error);
    return 'failed';
  }
}
