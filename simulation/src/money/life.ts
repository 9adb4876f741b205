import type { Call } from '@tara/contract/calls';
import { interactions as calls } from '@tara/contract/interactions/interactions';
import type { Stage } from '@tara/contract/interactions/stages';
import { adminMoney } from '@tara/contract/money/admin-money';
import { admin as adminCalls } from '@tara/contract/money/confirmations';
import { disputes, requestCases } from '@tara/contract/money/disputes';
import { reviews } from '@tara/contract/plans/reviews';
import { isBusy } from '@tara/server/platform/database/constraint';
import { tasks } from '@tara/server/platform/tasks';
import type { Member } from '@tara/server/testing/features/members';
import type { TestPlatform } from '@tara/server/testing/platform';
import type { Job } from '../lives/jobs.ts';
import {
  type Finding as AnyFinding,
  Life as AnyLife,
  type LifeOptions,
  live as liveAny,
  type Outcome,
} from '../lives/life.ts';
import { ProcessDied, type Served } from '../lives/product.ts';
import type { Tamper } from '../lives/script.ts';
import { setTime } from '../lives/world.ts';
import { type Mortal, runFor } from '../machine/machine.ts';
import { checkBooks, checkEnd, checkQuiet, type MoneyInvariant } from './checks.ts';
import type { Provider, ProviderRecord } from './provider.ts';
import { type Deed, dayMs, type PayWay, type Script } from './script.ts';
import { type Registration, serveMoney } from './serve.ts';
import type { World } from './world.ts';
import {
  eventWriter,
  excludedPairs,
  mayWrite,
  pairOf,
  type Writer,
  writerOf,
  writingJob,
} from './writers.ts';

type Finding = AnyFinding<MoneyInvariant>;

/** Something that writes to a request, from its begin to its end. */
interface Writing {
  writer: Writer;
  /** The request; null where it is not known. */
  id: string | null;
  /** That of the request at the begin, as it was looked at last. */
  stage: Stage | undefined;
  /** What was under way at the same time. */
  beside: Set<Writing>;
  isDone: boolean;
}

/** Something that a rush begins. */
interface Move {
  /** What writes to the request by it. */
  name: string;
  begin(): Promise<void>;
}

/** A request of a life. */
export interface Request {
  id: string;
  client: Member;
  creator: Member;
  planId: string;
  /** When it was last looked at. */
  stage: Stage;
}

const succeeds = '5555444444444457';
const foreign = '4343434343434345';
const expired = '4200000000000018';
/** An account to which the provider refuses each transfer. */
const refusedNumber = '999999990003';
const numbers = ['09171234567', '09187654321', '', refusedNumber];

/** Whether the card issuer has not decided a dispute. */
const isOpen = ({ attributes }: ProviderRecord): boolean =>
  ['needs_response', 'under_review'].includes(String(attributes.status));

/** The life that a seed says, from its first request until everything is over. */
export const live = (options: LifeOptions<World, Script>): Promise<Outcome> =>
  liveAny(options, (machine) => new Life(options, machine));

class Life extends AnyLife<World, Script, MoneyInvariant> {
  readonly requests: Request[] = [];
  #registration: Registration | undefined;
  #deeds = 0;

  get provider(): Provider {
    return this.world.provider;
  }

  protected override async prepare(): Promise<void> {
    const { machine, world, script, coverage } = this;
    world.provider.begin(machine, async (request) => {
      const product = this.living;
      if (!product) throw new TypeError('fetch failed');
      return product.request(request);
    });
    this.provider.onFault = (kind) => {
      this.#disturbances += 1;
      coverage.count('fault', kind);
    };
    await this.#set('/settings', script.settings);
  }

  /** Sets something of the provider's stand-in. */
  async #set(path: string, settings: Record<string, unknown>): Promise<void> {
    const { status, body } = await this.provider.visit(path, settings);
    if (status >= 400)
      this.find({ invariant: 'the provider can be set', text: `${path} ${status}: ${body}` });
  }

  protected override async serve(platform: TestPlatform, life: Mortal): Promise<Served> {
    const { served, registration } = await serveMoney(platform, this.provider, life);
    this.#registration = registration;
    return served;
  }

  protected override async end(): Promise<void> {
    await this.provider.end();
  }

  /** What writes to requests at this moment, by who does it. */
  readonly #writing = new Map<string, Writing>();

  /** Counts what is under way beside it for the same request, of those that may write to it now. */
  #noteBegin(doer: string, writer: Writer | undefined, request: string | null): void {
    if (writer === undefined) return;
    const [only, ...more] = this.requests;
    const id = request ?? (more.length === 0 ? (only?.id ?? null) : null);
    const stage = this.requests.find((other) => other.id === id)?.stage;
    const begun: Writing = { writer, id, stage, beside: new Set(this.#writing.values()), isDone: false };
    const isPossible = (one: Writing) => one.stage !== undefined && one.writer.from.includes(one.stage);
    for (const other of begun.beside) {
      other.beside.add(begun);
      if (id === null || other.id !== id || other.writer === writer) continue;
      if (stage === other.stage && isPossible(begun) && isPossible(other))
        this.coverage.count('at once', pairOf(writer, other.writer));
    }
    this.#writing.set(doer, begun);
  }

  /** A call was done: of two from one stage that no stage allows, and that nothing else meets, one is refused. */
  #noteDone(doer: string): void {
    const done = this.#writing.get(doer);
    if (!done) return;
    done.isDone = true;
    const [other, ...more] = done.beside;
    if (!other?.isDone || more.length > 0 || other.beside.size > 1) return;
    const pair = pairOf(done.writer, other.writer);
    const reason = excludedPairs.get(pair);
    if (reason !== undefined && other.id === done.id && other.stage === done.stage)
      this.#met.push({ invariant: 'what the stages exclude does not meet', text: `${pair}: ${reason}` });
  }
  readonly #met: Finding[] = [];

  protected override onJobStart({ id, task, payload }: Job): void {
    this.#noteBegin(`job ${id}`, writingJob(task), this.#requestIn(payload));
  }

  protected override onJobEnd({ id, task }: Job): void {
    this.#writing.delete(`job ${id}`);
    if (task === tasks.reconcilePayments.name) this.#rounds += 1;
  }

  protected override onCrash(): void {
    this.#writing.clear();
    this.#disturbances += 1;
  }

  /** Rounds that looked for what is missing, and crashes and faults, so far. */
  #rounds = 0;
  #disturbances = 0;
  /** Payments that were not captured when nothing was under way, with what had happened until then. */
  #missing = new Map<string, { rounds: number; disturbances: number; ms: number }>();

  /**
   * Notes which payments of the provider are not captured when nothing is under way.
   * @returns those that have been missing for a quarter of an hour in which nothing disturbed the rounds
   */
  noteMissing(ids: readonly string[]): Finding[] {
    const now = { rounds: this.#rounds, disturbances: this.#disturbances, ms: this.machine.nowMs };
    const sinceWhen = (id: string) => {
      const before = this.#missing.get(id);
      return before?.disturbances === now.disturbances ? before : now;
    };
    this.#missing = new Map(ids.map((id) => [id, sinceWhen(id)]));
    return [...this.#missing]
      .filter(([, { rounds, ms }]) => now.rounds > rounds && now.ms - ms >= 15 * 60_000)
      .map(([id]) => ({ invariant: 'a payment is found by the rounds', text: `${id} is not captured` }));
  }

  protected override takeFindings(): Finding[] {
    return this.#met.splice(0);
  }

  protected override isChecked(text: string): boolean {
    return isAboutMoney.test(text);
  }

  protected override checkStored(): Promise<Finding[]> {
    return checkBooks(this);
  }

  protected override checkQuiet(): Promise<Finding[]> {
    return checkQuiet(this);
  }

  protected override async enqueueRounds(): Promise<void> {
    const { database } = this.world;
    await tasks.reconcilePayments.enqueue(database, {});
    await tasks.workDeadlines.enqueue(database, {});
    await tasks.notifyUnanswered.enqueue(database, {});
    if (this.script.tells) await tasks.watchMoney.enqueue(database, {});
    void this.#registration?.keep();
  }

  /** A call of a person goes its way beside everything else. @param deed what it counts as when it was done */
  #ask<C extends Call>(who: Member, call: C, body: object, deed?: Deed['do']): void {
    const { machine, product } = this;
    const action = call.path.split('/').at(-1) ?? '';
    const name = `${who.profileId} ${action}`;
    this.acting += 1;
    this.#deeds += 1;
    const doer = `${who.profileId}, deed ${this.#deeds}`;
    this.#noteBegin(doer, writerOf(call), this.#requestIn(body));
    runFor(doer, () => product.call(who, call, { body }))
      .then(({ status }) => {
        machine.note(`  ${name}: ${status}`);
        if (status === 200) this.#noteDone(doer);
        if (status === 200 && deed) this.countDeed(deed);
        if (status === 500) this.#serverErrors.push(name);
      })
      .catch((error: unknown) => {
        if (!(error instanceof ProcessDied)) throw error;
        machine.note(`  ${name}: no answer`);
      })
      .finally(() => {
        this.acting -= 1;
        this.#writing.delete(doer);
      });
  }
  readonly #serverErrors: string[] = [];

  protected override async begin(deed: Exclude<Deed, Tamper>): Promise<void> {
    await this.#learnRequests();
    if ('request' in deed) {
      const request = this.requests[deed.request % Math.max(1, this.requests.length)];
      if (request) await this.#beginAbout(deed, request);
      return;
    }
    switch (deed.do) {
      case 'request':
        return this.#request(deed);
      case 'crash':
        await this.crash(deed.point);
        return this.countDeed(deed.do);
      case 'mend':
        if (await this.#mend()) this.countDeed(deed.do);
        return;
      case 'pass':
        await this.pass(deed.ms);
        return this.countDeed(deed.do);
      case 'tamperProvider':
        this.provider.change(deed.statement);
        return this.lookAtStored();
      case 'callFault': {
        const { kind, call, times } = deed;
        this.provider.faults.push({ kind, call, times });
        return;
      }
      case 'providerFault': {
        const { kind, event, times, delayMs } = deed;
        return this.#set('/faults', { kind, event, times, delay_ms: delayMs });
      }
      case 'changeNumber': {
        // Beside the product: what is locked must be free.
        await this.idle();
        await setTime(this.world, this.machine.nowMs);
        const creator = this.world.creators[deed.creator];
        const number = numbers[deed.number] ?? '';
        const changed = await this.world.admin`update profiles set phone_number = ${number},
          payout_number_from = case when phone_number = '' then null else simulation.now() + interval '24 hours' end
          where id = ${creator?.profileId ?? ''} and phone_number <> ${number} returning id`;
        if (changed.length === 0) return;
        this.countDeed(deed.do);
        await tasks.profilePayouts.enqueue(this.world.database, { profileId: creator?.profileId ?? '' });
        this.product.jobs.note();
        return;
      }
      default:
        return deed satisfies never;
    }
  }

  async #beginAbout(deed: Extract<Deed, { request: number }>, request: Request): Promise<void> {
    const { client, creator, id: interactionId } = request;
    const who = { client, creator };
    const admin = 'admin' in deed ? this.world.admins[deed.admin] : undefined;
    const body = { interactionId };
    const ask = <C extends Call>(by: Member, call: C, args: object) => this.#ask(by, call, args, deed.do);
    const countIf = (isDone: boolean) => void (isDone && this.countDeed(deed.do));
    switch (deed.do) {
      case 'pay':
        return countIf(await this.#pay(request, deed.way));
      case 'authorize':
        return countIf(await this.#authorizeAll(request));
      case 'rush':
        return countIf(await this.#rush(request, deed));
      case 'accept':
        return ask(creator, calls.acceptRequest, body);
      case 'sayMet':
        return ask(creator, calls.sayMet, body);
      case 'fulfil':
        return ask(client, calls.markDone, body);
      case 'check':
        return ask(client, calls.checkPayment, body);
      case 'dispute':
        return ask(client, disputes.open, {
          ...{ interactionId, reason: 'absent', story: 'Nobody came.', imageIds: [] },
        });
      case 'answerDispute':
        return ask(creator, disputes.answer, { interactionId, story: 'I waited.', imageIds: [] });
      case 'review':
        return ask(client, reviews.create, {
          ...{ interactionId, caption: 'A good day.', location: 'Manila', stars: 9, tags: '', imageIds: [] },
        });
      case 'cancel':
        return ask(who[deed.by], calls.cancelRequest, { interactionId, reason: 'Something came up.' });
      case 'putCardDown':
        return ask(who[deed.by], calls.cardDown, body);
      case 'propose':
        return ask(who[deed.by], calls.proposeDay, {
          ...{ interactionId, meetsAt: this.#day(deed.day), place: 'The pier' },
        });
      case 'agree': {
        const [proposal] = await this.world.admin`select id from meeting_proposals
          where interaction_id = ${interactionId} and answer is null`;
        if (!proposal) return;
        return ask(who[deed.by], calls.answerProposal, {
          ...{ interactionId, proposalId: proposal.id, answer: 'agree' },
        });
      }
      case 'nameNumber':
        return ask(client, calls.setRefundNumber, {
          ...{ interactionId, number: deed.isGood ? '09181234567' : refusedNumber },
        });
      case 'chargeBack':
        return countIf(await this.#chargeBack(request, deed.namesPayment, deed.isPart));
      case 'decideChargeback':
        return countIf(await this.#decideChargeback(request, deed.status));
    }
    if (!admin) return;
    switch (deed.do) {
      case 'confirm':
        return ask(admin, adminCalls.confirmPlans, body);
      case 'refund':
        return ask(admin, adminMoney.refundRequest, { interactionId, reason: 'It was not right.' });
      case 'decide': {
        const [row] = await this.world
          .admin`select price_centavos as price from interactions where id = ${interactionId}`;
        const part = { refundCentavos: 1_00 + Math.floor(deed.part * (Number(row?.price ?? 0) - 2_00)) };
        return ask(admin, requestCases.decideRequest, {
          ...{ interactionId, outcome: deed.outcome, note: 'By the dated steps.' },
          ...(deed.outcome === 'split' ? part : {}),
        });
      }
      case 'retry': {
        const rows = await this.world.admin`
          select id, way from disbursements where interaction_id = ${interactionId} and state in ('owed', 'sending')
          order by purpose, payment_id`;
        for (const { id, way } of rows) {
          const byTransfer = way === 'provider' && deed.byTransfer;
          ask(admin, adminMoney.retryMoney, { id, reason: 'Again.', byTransfer });
        }
        return;
      }
      case 'record':
        return this.#record(request, admin, deed.do);
      case 'decideSending':
        for (const { id, reference } of await this.#unansweredOrders(request))
          ask(admin, adminMoney.decideSending, {
            ...{ id, reason: 'By the dashboard.' },
            ...(reference === null ? {} : { reference }),
          });
        return;
      case 'settleByHand':
        for (const { reference } of await this.#refusedTransfers(request))
          ask(admin, adminMoney.settleManualTransfer, {
            ...{ reference, hasLeft: deed.hasLeft, reason: 'By the bank.' },
          });
        return;
      case 'assignDispute':
        for (const dispute of await this.#disputesOf(request)) {
          // What is decided is booked at once, and cannot be corrected.
          if (!isOpen(dispute)) continue;
          const paymentId = await this.#paymentFor(dispute, deed.to);
          if (paymentId === undefined) continue;
          if (paymentId !== dispute.parent) this.misassigned.add(dispute.id);
          ask(admin, adminMoney.assignDispute, { disputeId: dispute.id, paymentId, reason: 'By the card.' });
        }
        return;
      default:
        return deed satisfies never;
    }
  }

  /** Disputes of which an admin said something wrong, until it is corrected at the end. */
  readonly misassigned = new Set<string>();

  /** The payment that an admin names, null for none; undefined when there is no other one that the provider shows as disputed. */
  async #paymentFor({ parent }: ProviderRecord, to: 'own' | 'another' | 'none') {
    if (to === 'none') return null;
    if (to === 'own') return parent;
    const captured = await this.world.admin`select id from captured_payments order by paid_at, id`;
    return this.provider
      .records('payment')
      .filter(({ id, attributes }) => id !== parent && attributes.disputed === true)
      .find(({ id }) => captured.some((row) => row.id === id))?.id;
  }

  /** The provider's disputes of the payments of a request. */
  async #disputesOf({ id }: Request): Promise<ProviderRecord[]> {
    const [row] = await this.world.admin`select link_id as link from interactions where id = ${id}`;
    const payments = this.provider.records('payment').filter(({ parent }) => parent === row?.link);
    return this.provider
      .records('dispute')
      .filter((dispute) => payments.some((payment) => payment.id === dispute.parent));
  }

  /** Orders of a request whose answer nobody has, with what the provider's dashboard shows of each. */
  async #unansweredOrders({ id: interactionId }: Request) {
    const orders = await this.world.admin`
      select disbursements.id, disbursements.way, payment_id as payment, attempts.amount_centavos as amount
      from disbursements join attempts on disbursement_id = disbursements.id
      where interaction_id = ${interactionId} and attempts.state = 'sent' and reference is null order by purpose, payment_id`;
    const known = await this.world.admin`select reference from attempts where reference is not null`;
    return orders.map(({ id, way, payment, amount }) => {
      const sent = this.provider
        .records(way === 'provider' ? 'refund' : 'transfer')
        .filter(({ attributes }) => attributes.status !== 'failed' && attributes.amount === Number(amount))
        .filter(({ attributes, parent }) =>
          way === 'provider' ? parent === payment : attributes.reference_number === id,
        )
        .find((record) => !known.some(({ reference }) => reference === record.id));
      return { id: String(id), reference: sent?.id ?? null };
    });
  }

  /** Transfers by hand that were refused for recording. */
  #refusedTransfers({ id }: Request) {
    return this.world.admin<{ reference: string }[]>`select reference from manual_transfers
      where interaction_id = ${id} and state = 'refused' order by reference`;
  }

  /** An admin records what is to be transferred by hand as sent. */
  async #record({ id: interactionId }: Request, admin: Member, deed?: Deed['do']): Promise<void> {
    const rows = await this.world.admin`
      select id, disbursement_amounts.amount_centavos as amount from disbursements join disbursement_amounts using (id)
      where disbursements.interaction_id = ${interactionId} and state in ('owed', 'sending') and way = 'transfer'
      order by disbursements.purpose, payment_id`;
    for (const { id, amount } of rows) {
      const reference = `by hand of ${admin.profileId} ${id}`;
      const body = { id, reference, amountCentavos: Number(amount) };
      this.#ask(admin, adminMoney.recordPayout, body, deed);
    }
  }

  /** Begins several of what may write to a request in its stage. @returns whether there were two */
  async #rush(request: Request, { names, picks, after }: Extract<Deed, { do: 'rush' }>): Promise<boolean> {
    if (after !== null) {
      await this.reach(after);
      await this.#learnRequests();
    }
    const moves = [...this.#callMoves(request), ...this.#jobMoves(request)].filter(({ name }) =>
      mayWrite(name, request.stage),
    );
    const named = names.map((name) => moves.findIndex((move) => move.name === name));
    const indexes = new Set([...named, ...picks.map((pick) => pick % moves.length)]);
    const chosen = [...indexes].flatMap((index) => moves[index] ?? []);
    for (const { begin } of chosen) await begin();
    this.product.jobs.note();
    return chosen.length > 1;
  }

  #callMoves(request: Request): Move[] {
    const by = 'creator';
    // Who answers a proposal of the other one, as it was drawn before the rush.
    const answerer = mayWrite('accept', request.stage) ? 'client' : 'creator';
    const deeds: [string, { do: Deed['do'] } & Record<string, unknown>][] = [
      ['accept', { do: 'accept' }],
      ['end', { do: 'cancel', by: request.stage === 'paid' ? 'client' : by }],
      ['propose', { do: 'propose', by, day: 9 }],
      ['agree', { do: 'agree', by: answerer }],
      ['say met', { do: 'sayMet' }],
      ['put card down', { do: 'putCardDown', by }],
      ['fulfil', { do: 'fulfil' }],
      ['check', { do: 'check' }],
      ['name a number', { do: 'nameNumber', isGood: true }],
      ['dispute', { do: 'dispute' }],
      ['answer', { do: 'answerDispute' }],
      ['decide', { do: 'decide', admin: 1, outcome: 'split', part: 0.4 }],
      // Two admins, who do not know of each other.
      ['decide', { do: 'decide', admin: 0, outcome: 'refund', part: 0.4 }],
      ['confirm', { do: 'confirm', admin: 0 }],
      ['refund', { do: 'refund', admin: 1 }],
      ['review', { do: 'review' }],
      ['retry', { do: 'retry', admin: 0, byTransfer: false }],
      ['record', { do: 'record', admin: 1 }],
      // The events of a payment, or of a second one.
      [eventWriter, mayWrite('accept', request.stage) ? { do: 'pay', way: 'card' } : { do: 'authorize' }],
    ];
    return deeds.map(([name, deed]) => ({
      name,
      begin: () => this.#beginAbout({ request: 0, ...deed } as Extract<Deed, { request: number }>, request),
    }));
  }

  #jobMoves({ id: interactionId, creator }: Request): Move[] {
    const { database, admin } = this.world;
    const move = (name: string, begin: () => Promise<void>): Move => ({
      name,
      begin: () =>
        begin().catch((error: unknown) => {
          if (!isBusy(error)) throw error;
          this.machine.note(`  a transaction that is under way has enqueued ${name}`);
        }),
    });
    return [
      move(tasks.createPaymentLink.name, () => tasks.createPaymentLink.enqueue(database, { interactionId })),
      move(tasks.archivePaymentLink.name, () =>
        tasks.archivePaymentLink.enqueue(database, { interactionId }),
      ),
      move(tasks.disburse.name, async () => {
        for (const { id } of await admin`select id from disbursements where interaction_id = ${interactionId}
          order by purpose, payment_id`)
          await tasks.disburse.enqueue(database, { disbursementId: id });
      }),
      move(tasks.profilePayouts.name, () =>
        tasks.profilePayouts.enqueue(database, { profileId: creator.profileId }),
      ),
      move(tasks.workDeadlines.name, () => tasks.workDeadlines.enqueue(database, {})),
      move(tasks.notifyUnanswered.name, () => tasks.notifyUnanswered.enqueue(database, {})),
      move(tasks.reconcilePayments.name, () => tasks.reconcilePayments.enqueue(database, {})),
    ];
  }

  #day(days: number): string {
    const day = new Date(this.machine.nowMs + days * dayMs);
    day.setUTCHours(3, 0, 0, 0);
    return day.toISOString();
  }

  /** Sends a request, which others name from then on. */
  async #request(deed: Extract<Deed, { do: 'request' }>): Promise<void> {
    const { world, machine, product } = this;
    const plan = world.plans[deed.plan];
    const client = world.clients[deed.client];
    const creator = plan && world.creators[plan.creator];
    if (!plan || !client || !creator) throw new Error('a request has no parties');
    const body = {
      planId: plan.id,
      ...(deed.day === null ? {} : { meetsAt: this.#day(deed.day), place: 'Luneta' }),
    };
    this.acting += 1;
    runFor(`${client.profileId}, deed ${++this.#deeds}`, () =>
      product.call(client, calls.createInteraction, { body }),
    )
      .then(({ status }) => {
        machine.note(`  ${client.profileId} createInteraction: ${status}`);
        if (status === 200) this.countDeed(deed.do);
      })
      .catch((error: unknown) => {
        if (!(error instanceof ProcessDied)) throw error;
      })
      .finally(() => {
        this.acting -= 1;
      });
  }

  /** @returns whether a page of the provider took the payment */
  async #pay({ id, client }: Request, way: PayWay): Promise<boolean> {
    const { machine, provider, world } = this;
    const [row] =
      await world.admin`select checkout_url as url, paid_at, cancelled_at from interactions where id = ${id}`;
    if (!row?.url || row.cancelled_at) return false;
    const seen = await this.#seen(client, id);
    if (seen?.needsRefundNumber) {
      this.#ask(client, calls.setRefundNumber, { interactionId: id, number: '09181234567' });
      await this.idle();
    }
    const checkout = new URL(row.url).pathname;
    const card = async (number: string) => {
      const { status, location } = await provider.visit(
        `${checkout}/card`,
        { number, expiry: '12/34', cvc: '123', name: 'Ben' },
        true,
      );
      const isFailed = location.includes('failed=');
      machine.note(`  the card page: ${status} ${isFailed ? 'failed' : ''}`.trimEnd());
      return status < 400 && !isFailed;
    };
    const begin = async (wallet: string) =>
      (await provider.visit(`${checkout}/${wallet}`, {}, true)).location;
    if (way === 'card') return card(succeeds);
    if (way === 'foreignCard') return card(foreign);
    if (way === 'declined') return card(expired);
    const location = await begin(way === 'begin' ? 'gcash' : way);
    return way !== 'begin' && this.#authorize(location);
  }

  /** The payer agrees on the page of a wallet. @returns whether it took that */
  async #authorize(location: string): Promise<boolean> {
    const { provider, machine } = this;
    if (!location.includes('/authorize/')) return false;
    const path = new URL(location, provider.origin).pathname;
    const { status } = await provider.visit(path, { decision: 'authorize' }, true);
    machine.note(`  the page of the wallet: ${status}`);
    return status < 400;
  }

  /** The payer agrees to everything that was begun for a request. @returns whether a page took that */
  async #authorizeAll({ id }: Request): Promise<boolean> {
    const [row] = await this.world.admin`select link_id as link from interactions where id = ${id}`;
    let isTaken = false;
    for (const source of this.provider.records('source'))
      if (source.parent === row?.link && source.attributes.status === 'pending')
        isTaken = (await this.#authorize(`/authorize/${source.id}`)) || isTaken;
    return isTaken;
  }

  #seen(who: Member, id: string) {
    return this.read(who, calls.interaction, { params: { id } });
  }

  get isManual(): boolean {
    return this.script.environment.PAYOUTS === 'manual';
  }

  /** @returns whether there was a payment to dispute */
  async #chargeBack({ id }: Request, namesPayment: boolean, isPart: boolean): Promise<boolean> {
    const [row] = await this.world.admin`select link_id as link from interactions where id = ${id}`;
    const payments = this.provider
      .records('payment')
      .filter(({ parent, attributes }) => parent === row?.link && attributes.status === 'paid');
    // Of a request that was paid twice a further dispute is about the second payment.
    const payment = payments.find(({ attributes }) => attributes.disputed !== true);
    if (!payment) return false;
    const amount = isPart ? { amount: Math.floor(Number(payment.attributes.amount) / 2) } : {};
    const { status } = await this.provider.visit(`/payments/${payment.id}/dispute`, {
      ...{ names_payment: namesPayment, ...amount },
    });
    this.machine.note(`  the card issuer: ${status}`);
    return status < 400;
  }

  /** @returns whether there was a dispute to decide */
  async #decideChargeback(request: Request, status: string): Promise<boolean> {
    let isTaken = false;
    for (const dispute of await this.#disputesOf(request)) {
      // It would be booked for the wrong payment for good.
      if (this.misassigned.has(dispute.id)) continue;
      const answer = await this.provider.visit(`/disputes/${dispute.id}`, { status });
      this.machine.note(`  the card issuer decides: ${answer.status}`);
      isTaken ||= answer.status < 400;
    }
    return isTaken;
  }

  /** Brings everything to its end, as people, admins and time do. */
  protected override async finish(): Promise<void> {
    const { machine } = this;
    machine.note('> everything comes to its end');
    await this.#mend();
    let isOver = false;
    for (const ms of [60_000, 600_000, 2 * 3_600_000, dayMs, 8 * dayMs, 3_600_000, 8 * dayMs, dayMs]) {
      await this.pass(ms);
      await this.idle();
      await this.#learnRequests();
      await this.lookQuiet();
      isOver = await this.#help();
      if (isOver) break;
    }
    // A round came after everything else already, unless people did something since.
    await this.pass(120_000, { hasRound: !isOver });
    await this.idle();
    for (const finding of await checkBooks(this)) this.find(finding);
    for (const finding of await checkEnd(this)) this.find(finding);
    await this.lookQuiet();
    for (const name of this.#serverErrors) this.find({ invariant: 'no call fails inside', text: name });
  }

  /** Ends what is wrong with the provider, and counts what was met of it. @returns whether there was more to come */
  async #mend(): Promise<boolean> {
    const { provider, coverage } = this;
    const all = provider.readFaults();
    for (const { kind, used } of all) if (used > 0) coverage.count('fault', kind, used);
    const isWrong = [...provider.faults, ...all].some(({ times }) => times > 0);
    provider.faults = [];
    await this.#set('/faults/clear', {});
    return isWrong;
  }

  /** Does what is waited for of people. @returns whether everything is over */
  async #help(): Promise<boolean> {
    const { world, provider } = this;
    const [admin] = world.admins;
    if (!admin) return true;
    let isOver = true;
    const unassigned = await world.admin`select id from unassigned_disputes where state <> 'won'
      union select id from chargebacks where state = 'open' and id = any(${[...this.misassigned]}) order by id`;
    this.misassigned.clear();
    for (const { id: disputeId } of unassigned) {
      isOver = false;
      const paymentId = provider.records('dispute').find(({ id }) => id === disputeId)?.parent ?? '';
      this.#ask(admin, adminMoney.assignDispute, { disputeId, paymentId, reason: 'By the dashboard.' });
      await this.idle();
    }
    for (const dispute of provider.records('dispute')) {
      if (!isOpen(dispute)) continue;
      isOver = false;
      await provider.visit(`/disputes/${dispute.id}`, { status: this.machine.random.pick(['won', 'lost']) });
      await this.idle();
    }
    for (const request of this.requests) {
      const [row] = await world.admin`
        select stage, accepted_at, frozen_at,
          exists (select from disbursements where interaction_id = interactions.id and state in ('owed', 'sending')) as owes
        from interactions where id = ${request.id}`;
      if (!row) continue;
      const interactionId = request.id;
      if (!['completed', 'cancelled'].includes(row.stage)) {
        isOver = false;
        if (row.stage === 'fulfilled') this.#ask(admin, adminCalls.confirmPlans, { interactionId });
        else if (row.stage === 'disputed')
          this.#ask(admin, requestCases.decideRequest, {
            ...{ interactionId, outcome: row.accepted_at ? 'release' : 'refund', note: 'By the steps.' },
          });
        else if (row.stage === 'ready') this.#ask(request.client, calls.markDone, { interactionId });
        else this.#ask(request.client, calls.cancelRequest, { interactionId, reason: 'It is over.' });
        await this.idle();
      }
      if (!row.owes) continue;
      isOver = false;
      // What was refused for recording had not left.
      for (const { reference } of await this.#refusedTransfers(request))
        this.#ask(admin, adminMoney.settleManualTransfer, {
          reference,
          hasLeft: false,
          reason: 'By the bank.',
        });
      await this.idle();
      const seen = await this.#seen(request.client, interactionId);
      if (seen?.needsRefundNumber) {
        this.#ask(request.client, calls.setRefundNumber, { interactionId, number: '09181234567' });
        await this.idle();
      }
      const { profileId } = request.creator;
      const changed = await world.admin`update profiles set phone_number = '09171234567'
        where id = ${profileId} and phone_number !~ '^(\\+63|09)' returning id`;
      if (changed.length > 0) await tasks.profilePayouts.enqueue(world.database, { profileId });
      this.product.jobs.note();
      if (this.isManual) await this.#record(request, admin);
      await this.idle();
    }
    return isOver;
  }

  /** Learns of requests that are stored. */
  async #learnRequests(): Promise<void> {
    const rows = await this.world
      .admin`select id, client_id, creator_id, plan_id, stage from interactions order by created_at, id`;
    for (const row of rows) {
      const known = this.requests.find(({ id }) => id === row.id);
      if (row.stage !== known?.stage) this.coverage.count('stage', row.stage);
      if (known) {
        known.stage = row.stage;
        continue;
      }
      const client = this.world.clients.find(({ profileId }) => profileId === row.client_id);
      const creator = this.world.creators.find(({ profileId }) => profileId === row.creator_id);
      if (client && creator)
        this.requests.push({ id: row.id, client, creator, planId: row.plan_id, stage: row.stage });
    }
    for (const row of await this.world.admin`select id, interaction_id from disbursements`)
      this.#requestByDisbursement.set(row.id, row.interaction_id);
  }
  readonly #requestByDisbursement = new Map<string, string>();

  /** The request that a job or a call is about, as far as it says, or was looked at. */
  #requestIn(payload: unknown): string | null {
    if (typeof payload !== 'object' || payload === null) return null;
    const { interactionId, disbursementId, id } = payload as Record<string, unknown>;
    if (typeof interactionId === 'string') return interactionId;
    return this.#requestByDisbursement.get(String(disbursementId ?? id)) ?? null;
  }
}

export type { Life };

const isAboutMoney =
  /ledger_|"?(disbursements|attempts|chargebacks|captured_payments)"?|update "?interactions/;
