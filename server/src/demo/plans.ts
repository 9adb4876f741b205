import { nowMs } from '@tara/contract/clock';
import { interactions } from '@tara/contract/interactions/interactions';
import { meetingTime } from '@tara/contract/interactions/meetings';
import { messages } from '@tara/contract/messages/messages';
import { receipts } from '@tara/contract/messages/receipts';
import { admin } from '@tara/contract/money/confirmations';
import { disputes } from '@tara/contract/money/disputes';
import { plans } from '@tara/contract/plans/plans';
import { reviews } from '@tara/contract/plans/reviews';
import { submitForm, until } from './client.ts';
import type { DemoContext, Journal, People } from './fill.ts';
import world from './world.json' with { type: 'json' };

/** The demo world's part that is about plans: publishing them, and requests brought as far as `world.json` says. */

/** Returns the ids of the plans, in their order. */
export function publishPlans({ once }: Journal, people: People): Promise<string[]> {
  return Promise.all(
    world.plans.map(({ key, by, picture, photos, begins: _begins, ...form }) =>
      once(`plan ${key}`, async () => {
        const { client } = people(by);
        const imageId = await client.upload('images', picture);
        const imageIds: string[] = [];
        for (const photo of photos) imageIds.push(await client.upload('images', photo));
        return (await client.call(plans.create, { body: { ...form, imageId, imageIds } })).id;
      }),
    ),
  );
}

/** A day of its own for each request, when and where its plan begins. */
function dayAhead(index: number, { begins, place }: (typeof world.plans)[number]) {
  const day = new Date(nowMs() + (index + 3) * 86_400_000).toISOString().slice(0, 10);
  return { meetsAt: meetingTime(day, begins), place };
}

/** Returns the ids of the requests, in their order. */
export function fillRequests(
  context: DemoContext,
  journal: Journal,
  people: People,
  planIds: readonly string[],
): Promise<string[]> {
  return Promise.all(
    world.requests.map(async (request, index) => {
      const planIndex = world.plans.findIndex(({ key }) => key === request.plan);
      const plan = world.plans[planIndex];
      const planId = planIds[planIndex];
      if (!plan || !planId) throw new Error(`The demo world has no plan ${request.plan}.`);
      const client = people(request.client).client;
      const creator = people(plan.by).client;
      const { client: tala } = people('tala');
      const step = (name: string, work: () => Promise<unknown>) =>
        journal.once(`request ${index}: ${name}`, work);
      const reaches = (...reached: string[]) => reached.includes(request.stage);

      const interactionId = await journal.once(`request ${index}`, async () => {
        const { openInteractionId } = await client.call(plans.get, { params: { id: planId } });
        if (openInteractionId !== null) return openInteractionId;
        // What happened on a day that is over names none: a day that is proposed lies ahead.
        const isOver = reaches('fulfilled', 'disputed', 'completed', 'cancelled');
        const day = isOver ? {} : dayAhead(index, plan);
        return (await client.call(interactions.createInteraction, { body: { planId, ...day } })).id;
      });
      const body = { interactionId };
      const read = () => client.call(interactions.interaction, { params: { id: interactionId } });
      const notAgain = 'interaction_not_allowed';

      // Comes with the payment link; where nobody is to pay, no job of the request is left over then.
      await until('a payment link', async () => (await read()).referenceNumber);
      if (reaches('cancelled')) {
        await step('cancel', () => client.attempt(interactions.cancelRequest, { body }, notAgain));
      }
      if (plan.price > 0 && reaches('paid', 'ready', 'fulfilled', 'disputed', 'completed')) {
        await step('pay', async () => {
          const { checkoutUrl, paid } = await read();
          if (!paid) await pay(context, checkoutUrl ?? '', request.client);
          await until('the payment', async () =>
            (await client.call(interactions.checkPayment, { body })).paid ? true : null,
          );
        });
      }
      if (reaches('accepted', 'ready', 'fulfilled', 'disputed', 'completed')) {
        await step('accept', () => creator.attempt(interactions.acceptRequest, { body }, notAgain));
      }
      if (request.messages.length > 0) {
        await step('chat', async () => {
          await client.attempt(receipts.createConversationReceipt, { body }, notAgain);
          const conversation = (await read()).conversationReceipt ?? '';
          const written: { by: string; text: string; picture?: string }[] = request.messages;
          for (const [number, { by, text, picture }] of written.entries()) {
            const author = by === 'client' ? client : creator;
            const imageId = picture ? await author.upload('messageFiles', picture) : null;
            const message = { conversation, message: text, imageId, clientKey: `demo-message-${number}` };
            await author.call(receipts.sendMessage, { body: message });
          }
        });
      }
      if (reaches('fulfilled', 'completed')) {
        await step('fulfil', () => client.attempt(interactions.markDone, { body }, notAgain));
      }
      if (reaches('disputed')) {
        await step('dispute', async () => {
          const { story, answer } = { story: '', answer: '', ...request };
          const dispute = { interactionId, reason: 'absent', story, imageIds: [] };
          await client.attempt(disputes.open, { body: dispute }, notAgain);
          const reply = { interactionId, story: answer, imageIds: [] };
          await creator.attempt(disputes.answer, { body: reply }, notAgain);
        });
      }
      if (reaches('completed')) {
        await step('confirm', () => tala.attempt(admin.confirmPlans, { body }, 'plan_confirm_failed'));
        await until('the payout', async () => ((await read()).money.state === 'paid_out' ? true : null));
      }
      const { review } = request;
      if (review) {
        const { pictures, likes, comments, ...form } = review;
        await step('review', async () => {
          const imageIds = await Promise.all(pictures.map((picture) => client.upload('images', picture)));
          const written = { ...form, interactionId, imageIds };
          await client.attempt(reviews.create, { body: written }, 'review_already_written');
        });
        const reviewId = (await read()).reviewId ?? '';
        for (const key of likes) await people(key).client.call(reviews.like, { body: { reviewId } });
        for (const [index, { by, text }] of comments.entries()) {
          const comment = { reviewId, body: text, clientKey: `demo-comment-${index}` };
          await people(by).client.call(reviews.createComment, { body: comment });
        }
      }
      return interactionId;
    }),
  );
}

/** More than any chat has: a mark stops at the newest message. */
const everything = 1000;

/** Both parties have read the chats of requests that are over. */
export async function readEndedChats(
  { once }: Journal,
  people: People,
  requestIds: readonly string[],
): Promise<void> {
  await once('ended chats read', async () => {
    for (const [index, { stage, plan, client }] of world.requests.entries()) {
      if (stage !== 'completed') continue;
      const parties = [client, world.plans.find(({ key }) => key === plan)?.by ?? ''].map(
        (key) => people(key).client,
      );
      for (const party of parties) {
        const params = { id: requestIds[index] ?? '' };
        const { conversationReceipt: chatId } = await party.call(interactions.interaction, { params });
        if (chatId === null) continue;
        await party.call(messages.mark, { body: { chatId, delivered: everything, read: everything } });
      }
    }
  });
}

/** Pays on the sandbox's checkout page with its test card that succeeds. */
async function pay({ app, config }: DemoContext, checkoutUrl: string, name: string): Promise<void> {
  const card = { number: '5555444444444457', expiry: '12/34', cvc: '123', name, return_url: '' };
  await submitForm(app, `${checkoutUrl.slice(config.publicUrl.length)}/card`, card);
}
