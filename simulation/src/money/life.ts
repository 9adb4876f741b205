import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Call } from '@tara/contract/calls';
import { interactions as calls } from '@tara/contract/interactions/interactions';
import type { Stage } from '@tara/contract/interactions/stages';
import { adminMoney } from '@tara/contract/money/admin-money';
import { admin as adminCalls } from '@tara/contract/money/confirmations';
import { disputes, requestCases } from '@tara/contract/money/disputes';
import { reviews } from '@tara/contract/plans/reviews';
import { giveBackJobs } from '@tara/server/platform/jobs/queue';
import { tasks } from '@tara/server/platform/tasks';
import type { Member } from '@tara/server/testing/features/members';
import type { Answered } from '@tara/server/testing/server';
import { Machine, runFor } from '../machine/machine.ts';
import { checkBooks, checkEnd, checkQuiet, type Finding } from './checks.ts';
import type { Coverage } from './coverage.ts';
import { crashPoint } from './crash-points.ts';
import { ProcessDied, Product } from './product.ts';
import { Provider } from './provider.ts';
import { type Act, type Deed, dayMs, describeAct, type PayWay, type Script } from './script.ts';
import { setTime, startMs, useSeed, type World } from './world.ts';
import { excludedPairs, mayWrite, pairOf, type Writer, writerOf, writingJob } from './writers.ts';

export interface Outcome {
  trace: string[];
  /** What broke an invariant; those that are known let the life go on. */
  findings: Finding[];
  steps: number;
}

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

/** Steps after which a life counts as one that does not end. */
const mostSteps = 30_000;
/** Events that one jump of the time stops at. */
const mostStops = 40;

const succeeds = '5555444444444457';
const foreign = '4343434343434345';
const expired = '4200000000000018';
const numbers = ['09171234567', '09187654321', '', '999999990003'];

interface LifeOptions {
  world: World;
  seed: number;
  script: Script;
  coverage: Coverage;
  /** Whether a life goes on after a finding. */
  goesOn: (finding: Finding) => boolean;
}

/** The life that a seed says, from its first request until everything is over. */
export async function live(options: LifeOptions): Promise<Outcome> {
  const { world, seed } = options;
  const pids = [...world.backends, world.queue].map(({ pid }) => pid);
  const machine = new Machine({ seed, startMs, monitor: world.monitor, pids });
  const undo = useSeed(seed, { nowMs: () => machine.nowMs });
  const life = new Life(options, machine);
  try {
    await life.run();
  } catch (error) {
    if (!(error instanceof LifeEnded)) {
      const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
      life.findings.push({ invariant: 'the machine goes on', text });
    }
  } finally {
    await life.stop();
    undo();
  }
  return { trace: machine.trace, findings: life.findings, steps: machine.steps };
}

/** A finding that is not known ends the life. */
class LifeEnded extends Error {}

class Life {
  readonly findings: Finding[] = [];
  readonly requests: Request[] = [];
  readonly machine: Machine;
  readonly #options: LifeOptions;
  #provider: Provider | undefined;
  #product: Product | undefined;
  /** Statements since the last look at the books. */
  #mustCheck = false;
  #acting = 0;
  #deeds = 0;

  constructor(options: LifeOptions, machine: Machine) {
    this.#options = options;
    this.machine = machine;
  }

  get world(): World {
    return this.#options.world;
  }
  get provider(): Provider {
    if (!this.#provider) throw new Error('the provider has not begun');
    return this.#provider;
  }
  get product(): Product {
    if (!this.#product) throw new Error('the product has not begun');
    return this.#product;
  }

  async run(): Promise<void> {
    const { world, seed, script, coverage } = this.#options;
    const { machine } = this;
    await world.snapshot.restore();
    const leftOut = script.tells ? [] : world.tellingTasks;
    for (const backend of [...world.backends, world.queue])
      await backend.run(`set simulation.seed = '${seed}'; set simulation.left_out = '{${leftOut}}'`);
    await setTime(world, machine.nowMs);
    this.#provider = await Provider.start(machine, world.folder, async (request) => {
      const product = this.#product;
      if (!product || product.isDead) throw new TypeError('fetch failed');
      return product.request(request);
    });
    this.provider.onFault = (kind) => coverage.count('fault', kind);
    await this.provider.visit('/settings', script.settings);
    await this.#startProduct();
    for (const act of script.acts) await this.#act(act);
    await this.#finish();
  }

  async stop(): Promise<void> {
    this.#product?.die();
    await this.#endStatements();
    await this.#provider?.stop();
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
        this.#options.coverage.count('at once', pairOf(writer, other.writer));
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

  async #startProduct(): Promise<void> {
    const { world, script } = this.#options;
    const { machine, provider } = this;
    const product = await Product.start({
      ...{ machine, provider, environment: script.environment },
      ...{ url: world.url, backends: world.backends, queue: world.queue, statements: world.statements },
      onCommit: (texts) => this.#noteCommit(texts),
      onError: ({ msg, err }) => machine.note(`  log: ${msg}${reasonIn(err)}`),
    });
    product.jobs.onStart = ({ id, task, payload }) => {
      this.#options.coverage.count('job', task);
      this.#noteBegin(`job ${id}`, writingJob(task), requestIn(payload));
    };
    product.jobs.onEnd = ({ id }) => void this.#writing.delete(`job ${id}`);
    this.#product = product;
    machine.source = () => product.jobs.steps();
    machine.refresh = () => product.jobs.refresh();
    await this.#enqueueRounds();
  }

  #noteCommit(texts: readonly string[]): void {
    if (texts.some((text) => text.includes('graphile_worker'))) this.#product?.jobs.note();
    if (texts.some((text) => isAboutMoney.test(text))) this.#mustCheck = true;
  }

  /** Asks for what the product does again and again. */
  async #enqueueRounds(): Promise<void> {
    await setTime(this.world, this.machine.nowMs);
    const { database } = this.world;
    await tasks.reconcilePayments.enqueue(database, {});
    await tasks.workDeadlines.enqueue(database, {});
    await tasks.notifyUnanswered.enqueue(database, {});
    void this.#product?.keepRegistered();
    this.#product?.jobs.note();
  }

  async #act(act: Act): Promise<void> {
    const { machine } = this;
    machine.note(`> ${describeAct(act)}`);
    this.#options.coverage.count('deed', act.deed.do);
    await this.#begin(act.deed);
    if (act.steps === null) {
      await this.#idle();
      await this.#checkQuiet();
    } else for (let count = 0; count < act.steps; count++) if (!(await this.#step())) break;
  }

  async #step(): Promise<boolean> {
    const { machine } = this;
    if (machine.steps > mostSteps) this.#find({ invariant: 'a life ends', text: `after ${mostSteps} steps` });
    const happened = await machine.step();
    for (const finding of this.#met.splice(0)) this.#find(finding);
    if (this.#mustCheck) {
      this.#mustCheck = false;
      for (const finding of await checkBooks(this)) this.#find(finding);
    }
    return happened;
  }

  /** Lets everything happen that is due. */
  async #idle(): Promise<void> {
    while (await this.#step());
    if (this.#acting > 0) this.#find({ invariant: 'a call is answered', text: `${this.#acting} are not` });
  }

  async #checkQuiet(): Promise<void> {
    await setTime(this.world, this.machine.nowMs);
    for (const finding of await checkQuiet(this)) this.#find(finding);
  }

  #find(finding: Finding): void {
    if (this.findings.some(({ invariant }) => invariant === finding.invariant)) return;
    this.findings.push(finding);
    this.machine.note(`! ${finding.invariant}: ${finding.text}`);
    if (!this.#options.goesOn(finding)) throw new LifeEnded();
  }

  /** Lets time pass, from one event to the next. */
  async #pass(ms: number): Promise<void> {
    const { machine } = this;
    const until = machine.nowMs + ms;
    for (let stops = 0; stops < mostStops; stops++) {
      await this.#idle();
      const times = [machine.nextTimerMs(), await this.product.jobs.nextMs()].filter((time) => time !== null);
      const next = Math.min(...times);
      if (!(next <= until)) break;
      machine.nowMs = Math.max(machine.nowMs, next);
      this.product.jobs.note();
    }
    machine.nowMs = Math.max(machine.nowMs, until);
    this.product.jobs.note();
    if (ms >= 30_000) await this.#enqueueRounds();
  }

  /** A call of a person goes its way beside everything else. */
  #ask<C extends Call>(who: Member, call: C, body: object): void {
    const { machine, product } = this;
    const action = call.path.split('/').at(-1) ?? '';
    const name = `${who.profileId} ${action}`;
    this.#acting += 1;
    this.#deeds += 1;
    const doer = `${who.profileId}, deed ${this.#deeds}`;
    this.#noteBegin(doer, writerOf(call), requestIn(body));
    runFor(doer, () => product.call(who, call, { body }))
      .then(({ status }) => {
        machine.note(`  ${name}: ${status}`);
        if (status === 200) this.#noteDone(doer);
        if (status === 500) this.#serverErrors.push(name);
      })
      .catch((error: unknown) => {
        if (!(error instanceof ProcessDied)) throw error;
        machine.note(`  ${name}: no answer`);
      })
      .finally(() => {
        this.#acting -= 1;
        this.#writing.delete(doer);
      });
  }
  readonly #serverErrors: string[] = [];

  async #begin(deed: Deed): Promise<void> {
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
        await this.#reach(deed.point);
        return this.#crash();
      case 'mend':
        return this.#mend();
      case 'pass':
        return this.#pass(deed.ms);
      case 'callFault': {
        const { kind, call, times } = deed;
        this.provider.faults.push({ kind, call, times });
        return;
      }
      case 'providerFault': {
        const { kind, event, times, delayMs } = deed;
        this.#options.coverage.count('fault', kind);
        await this.provider.visit('/faults', { kind, event, times, delay_ms: delayMs });
        return;
      }
      case 'changeNumber': {
        // Beside the product: what is locked must be free.
        await this.#idle();
        const creator = this.world.creators[deed.creator];
        const number = numbers[deed.number] ?? '';
        await this.world.admin`update profiles set phone_number = ${number},
          payout_number_from = case when phone_number = '' then null else simulation.now() + interval '24 hours' end
          where id = ${creator?.profileId ?? ''}`;
        await tasks.profilePayouts.enqueue(this.world.database, { profileId: creator?.profileId ?? '' });
        this.product.jobs.note();
        return;
      }
    }
  }

  async #beginAbout(deed: Extract<Deed, { request: number }>, request: Request): Promise<void> {
    const { client, creator, id: interactionId } = request;
    const who = { client, creator };
    const admin = 'admin' in deed ? this.world.admins[deed.admin] : undefined;
    const body = { interactionId };
    switch (deed.do) {
      case 'pay':
        return this.#pay(request, deed.way);
      case 'authorize':
        return this.#authorizeAll(request);
      case 'rush':
        return this.#rush(request, deed);
      case 'accept':
        return this.#ask(creator, calls.acceptRequest, body);
      case 'sayMet':
        return this.#ask(creator, calls.sayMet, body);
      case 'fulfil':
        return this.#ask(client, calls.markDone, body);
      case 'check':
        return this.#ask(client, calls.checkPayment, body);
      case 'dispute':
        return this.#ask(client, disputes.open, {
          ...{ interactionId, reason: 'absent', story: 'Nobody came.', imageIds: [] },
        });
      case 'answerDispute':
        return this.#ask(creator, disputes.answer, { interactionId, story: 'I waited.', imageIds: [] });
      case 'review':
        return this.#ask(client, reviews.create, {
          ...{ interactionId, caption: 'A good day.', location: 'Manila', stars: 9, tags: '', imageIds: [] },
        });
      case 'cancel':
        return this.#ask(who[deed.by], calls.cancelRequest, { interactionId, reason: 'Something came up.' });
      case 'propose':
        return this.#ask(who[deed.by], calls.proposeDay, {
          ...{ interactionId, meetsAt: this.#day(deed.day), place: 'The pier' },
        });
      case 'agree': {
        const [proposal] = await this.world.admin`select id from meeting_proposals
          where interaction_id = ${interactionId} and answer is null`;
        if (!proposal) return;
        return this.#ask(who[deed.by], calls.answerProposal, {
          ...{ interactionId, proposalId: proposal.id, answer: 'agree' },
        });
      }
      case 'nameNumber':
        return this.#ask(client, calls.setRefundNumber, {
          ...{ interactionId, number: deed.isGood ? '09181234567' : '09990000003' },
        });
      case 'transfer':
        return this.provider.transferAgain(interactionId);
      case 'chargeBack':
        return this.#chargeBack(request, deed.namesPayment, deed.isPart);
      case 'decideChargeback':
        return this.#decideChargeback(request, deed.status);
    }
    if (!admin) return;
    switch (deed.do) {
      case 'confirm':
        return this.#ask(admin, adminCalls.confirmPlans, body);
      case 'refund':
        return this.#ask(admin, adminMoney.refundRequest, { interactionId, reason: 'It was not right.' });
      case 'decide': {
        const [row] = await this.world
          .admin`select price_centavos as price from interactions where id = ${interactionId}`;
        const part = { refundCentavos: 1_00 + Math.floor(deed.part * (Number(row?.price ?? 0) - 2_00)) };
        return this.#ask(admin, requestCases.decideRequest, {
          ...{ interactionId, outcome: deed.outcome, note: 'By the dated steps.' },
          ...(deed.outcome === 'split' ? part : {}),
        });
      }
      case 'retry': {
        const rows = await this.world.admin`
          select 'payout' as kind, id from payouts where interaction_id = ${interactionId} and state <> 'paid'
          union all select 'refund', id from refunds where interaction_id = ${interactionId} and state <> 'refunded'
          order by kind, id`;
        for (const { kind, id } of rows) {
          const byTransfer = kind === 'refund' && deed.byTransfer;
          this.#ask(admin, adminMoney.retryMoney, { kind, id, reason: 'Again.', byTransfer });
        }
        return;
      }
      case 'record': {
        const rows = await this.world.admin`select id, amount_centavos as amount from payouts
          where interaction_id = ${interactionId} and state <> 'paid' order by id`;
        for (const { id, amount } of rows) {
          const reference = `by hand ${id}`;
          this.#ask(admin, adminMoney.recordPayout, { id, reference, amountCentavos: Number(amount) });
        }
        return;
      }
    }
  }

  /** Begins several of what may write to a request in its stage. */
  async #rush(request: Request, { picks }: Extract<Deed, { do: 'rush' }>): Promise<void> {
    const moves = [...this.#callMoves(request), ...this.#jobMoves(request)].filter(({ name }) =>
      mayWrite(name, request.stage),
    );
    for (const index of new Set(picks.map((pick) => pick % moves.length))) await moves[index]?.begin();
    this.product.jobs.note();
  }

  #callMoves(request: Request): Move[] {
    const by = 'creator';
    const deeds = {
      accept: { do: 'accept' },
      end: { do: 'cancel', by: request.stage === 'paid' ? 'client' : by },
      propose: { do: 'propose', by, day: 9 },
      agree: { do: 'agree', by },
      'say met': { do: 'sayMet' },
      fulfil: { do: 'fulfil' },
      check: { do: 'check' },
      'name a number': { do: 'nameNumber', isGood: true },
      dispute: { do: 'dispute' },
      answer: { do: 'answerDispute' },
      decide: { do: 'decide', admin: 1, outcome: 'split', part: 0.4 },
      confirm: { do: 'confirm', admin: 0 },
      refund: { do: 'refund', admin: 1 },
      review: { do: 'review' },
      retry: { do: 'retry', admin: 0, byTransfer: false },
      record: { do: 'record', admin: 1 },
      // The events of a payment, or of a second one.
      [tasks.workProviderEvent.name]: mayWrite('accept', request.stage)
        ? { do: 'pay', way: 'card' }
        : { do: 'authorize' },
    };
    return Object.entries(deeds).map(([name, deed]) => ({
      name,
      begin: () => {
        this.#options.coverage.count('deed', deed.do);
        return this.#beginAbout({ request: 0, ...deed } as Extract<Deed, { request: number }>, request);
      },
    }));
  }

  #jobMoves({ id: interactionId, creator }: Request): Move[] {
    const { database, admin } = this.world;
    const move = (name: string, begin: () => Promise<void>): Move => ({ name, begin });
    return [
      move(tasks.createPaymentLink.name, () => tasks.createPaymentLink.enqueue(database, { interactionId })),
      move(tasks.archivePaymentLink.name, () =>
        tasks.archivePaymentLink.enqueue(database, { interactionId }),
      ),
      move(tasks.payout.name, async () => {
        for (const { id } of await admin`select id from payouts where interaction_id = ${interactionId}`)
          await tasks.payout.enqueue(database, { payoutId: id });
      }),
      move(tasks.refund.name, async () => {
        for (const { id } of await admin`select id from refunds where interaction_id = ${interactionId}`)
          await tasks.refund.enqueue(database, { refundId: id });
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
    this.#acting += 1;
    runFor(`${client.profileId}, deed ${++this.#deeds}`, () =>
      product.call(client, calls.createInteraction, { body }),
    )
      .then(({ status }) => machine.note(`  ${client.profileId} createInteraction: ${status}`))
      .catch((error: unknown) => {
        if (!(error instanceof ProcessDied)) throw error;
      })
      .finally(() => {
        this.#acting -= 1;
      });
  }

  async #pay({ id, client }: Request, way: PayWay): Promise<void> {
    const { machine, provider, world } = this;
    const [row] =
      await world.admin`select checkout_url as url, paid_at, cancelled_at from interactions where id = ${id}`;
    if (!row?.url || row.cancelled_at) return;
    const seen = await this.#seen(client, id);
    if (seen?.needsRefundNumber) {
      this.#ask(client, calls.setRefundNumber, { interactionId: id, number: '09181234567' });
      await this.#idle();
    }
    const checkout = new URL(row.url).pathname;
    const card = async (number: string) => {
      const { status, location } = await provider.visit(
        `${checkout}/card`,
        { number, expiry: '12/34', cvc: '123', name: 'Ben' },
        true,
      );
      machine.note(`  the card page: ${status} ${location.includes('failed=') ? 'failed' : ''}`.trimEnd());
    };
    const begin = async (wallet: string) =>
      (await provider.visit(`${checkout}/${wallet}`, {}, true)).location;
    if (way === 'card') return card(succeeds);
    if (way === 'foreignCard') return card(foreign);
    if (way === 'declined') return card(expired);
    if (way === 'begin') return void (await begin('gcash'));
    return this.#authorize(await begin(way));
  }

  /** The payer agrees on the page of a wallet. */
  async #authorize(location: string): Promise<void> {
    const { provider, machine } = this;
    if (!location.includes('/authorize/')) return;
    const path = new URL(location, provider.origin).pathname;
    const { status } = await provider.visit(path, { decision: 'authorize' }, true);
    machine.note(`  the page of the wallet: ${status}`);
  }

  /** The payer agrees to everything that was begun for a request. */
  async #authorizeAll({ id }: Request): Promise<void> {
    const [row] = await this.world.admin`select link_id as link from interactions where id = ${id}`;
    for (const source of this.provider.records('source'))
      if (source.parent === row?.link && source.attributes.status === 'pending')
        await this.#authorize(`/authorize/${source.id}`);
  }

  #seen(who: Member, id: string) {
    return this.read(who, calls.interaction, { params: { id } });
  }

  /** What a call answers to a person, once everything that is due has happened; null when it refuses. */
  async read<C extends Call>(who: Member, call: C, parts: object) {
    const pending = this.product.call(who, call, parts);
    const answers: Answered<C>[] = [];
    pending.then((answer) => answers.push(answer)).catch(() => {});
    await this.#idle();
    const [answer] = answers;
    return answer?.status === 200 ? answer.reply : null;
  }

  get isManual(): boolean {
    return this.#options.script.environment.PAYOUTS === 'manual';
  }

  async #chargeBack({ id }: Request, namesPayment: boolean, isPart: boolean): Promise<void> {
    const [row] = await this.world.admin`select link_id as link from interactions where id = ${id}`;
    const payments = this.provider
      .records('payment')
      .filter(({ parent, attributes }) => parent === row?.link && attributes.status === 'paid');
    const payment = payments[0];
    if (!payment) return;
    const amount = isPart ? { amount: Math.floor(Number(payment.attributes.amount) / 2) } : {};
    const { status } = await this.provider.visit(`/payments/${payment.id}/dispute`, {
      ...{ names_payment: namesPayment, ...amount },
    });
    this.machine.note(`  the card issuer: ${status}`);
  }

  async #decideChargeback({ id }: Request, status: string): Promise<void> {
    const [row] = await this.world.admin`select link_id as link from interactions where id = ${id}`;
    const payments = this.provider.records('payment').filter(({ parent }) => parent === row?.link);
    for (const dispute of this.provider.records('dispute')) {
      if (!payments.some((payment) => payment.id === dispute.parent)) continue;
      const answer = await this.provider.visit(`/disputes/${dispute.id}`, { status });
      this.machine.note(`  the card issuer decides: ${answer.status}`);
    }
  }

  /** Ends what the connections of a process that died were in the middle of. */
  async #endStatements(): Promise<void> {
    const { monitor, backends, queue } = this.world;
    await this.machine.quiesce();
    this.machine.dropDead();
    for (const backend of this.machine.takeBlocked()) {
      await monitor.run(`select pg_cancel_backend(${backend.pid})`);
      while (backend.isBusy) await nextTurn();
    }
    for (const backend of [...backends, queue]) if (backend.state !== 'I') await backend.run('rollback');
  }

  /** Lets things happen until a step of this kind waits, or nothing is left. */
  async #reach(point: string | null): Promise<void> {
    if (point === null) return;
    do {
      await this.machine.quiesce();
      await this.product.jobs.refresh();
      if (this.machine.waitingNames().some((name) => crashPoint(name) === point)) return;
    } while (await this.#step());
  }

  /** The process ends between two steps, with all its connections, and begins again. */
  async #crash(): Promise<void> {
    const { world, machine, product } = this;
    for (const point of new Set(machine.waitingNames().map(crashPoint)))
      this.#options.coverage.count('crash before', point);
    product.die();
    this.#writing.clear();
    await this.#endStatements();
    machine.nowMs += 3000;
    await setTime(world, machine.nowMs);
    // As at the start of the product.
    const pool = {
      query: async (text: string, params: string[]) => {
        // Postgres leaves open in which order jobs get new ids: here it is that of their old ones.
        const held = text.includes('set id = default')
          ? await world.admin`select id from graphile_worker._private_jobs where locked_by is not null order by id`
          : [];
        for (const { id } of held) await world.admin.unsafe(`${text} and id = ${id}`, params);
        return { rows: held.length > 0 ? [] : await world.admin.unsafe(text, params) };
      },
    };
    await giveBackJobs(pool as never, product.keyedTasks);
    await this.#startProduct();
  }

  /** Brings everything to its end, as people, admins and time do. */
  async #finish(): Promise<void> {
    const { machine } = this;
    machine.note('> everything comes to its end');
    await this.#mend();
    for (const ms of [60_000, 600_000, 2 * 3_600_000, dayMs, 8 * dayMs, 3_600_000, 8 * dayMs, dayMs]) {
      await this.#pass(ms);
      await this.#idle();
      await this.#learnRequests();
      await this.#checkQuiet();
      if (await this.#help()) break;
    }
    await this.#pass(120_000);
    await this.#idle();
    for (const finding of await checkBooks(this)) this.#find(finding);
    for (const finding of await checkEnd(this)) this.#find(finding);
    await this.#checkQuiet();
    for (const name of this.#serverErrors) this.#find({ invariant: 'no call fails inside', text: name });
  }

  async #mend(): Promise<void> {
    this.provider.clearFaults();
    await this.provider.visit('/faults/clear', {}, true);
  }

  /** Does what is waited for of people. @returns whether everything is over */
  async #help(): Promise<boolean> {
    const { world, provider } = this;
    const [admin] = world.admins;
    if (!admin) return true;
    let isOver = true;
    const unassigned = await world.admin`select id from unassigned_disputes where state <> 'won' order by id`;
    for (const { id: disputeId } of unassigned) {
      isOver = false;
      const paymentId = provider.records('dispute').find(({ id }) => id === disputeId)?.parent ?? '';
      this.#ask(admin, adminMoney.assignDispute, { disputeId, paymentId, reason: 'By the dashboard.' });
      await this.#idle();
    }
    for (const dispute of provider.records('dispute')) {
      if (!['needs_response', 'under_review'].includes(String(dispute.attributes.status))) continue;
      isOver = false;
      await provider.visit(`/disputes/${dispute.id}`, { status: this.machine.random.pick(['won', 'lost']) });
      await this.#idle();
    }
    for (const request of this.requests) {
      const [row] = await world.admin`
        select stage, accepted_at, frozen_at,
          exists (select from payouts where interaction_id = interactions.id and state <> 'paid') as pays_out,
          exists (select from refunds where interaction_id = interactions.id and state <> 'refunded') as pays_back
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
        await this.#idle();
      }
      if (!row.pays_out && !row.pays_back) continue;
      isOver = false;
      const seen = await this.#seen(request.client, interactionId);
      if (seen?.needsRefundNumber) {
        this.#ask(request.client, calls.setRefundNumber, { interactionId, number: '09181234567' });
        await this.#idle();
      }
      await world.admin`update profiles set phone_number = '09171234567'
        where id = ${request.creator.profileId} and phone_number !~ '^(\\+63|09)'`;
      await tasks.profilePayouts.enqueue(world.database, { profileId: request.creator.profileId });
      this.product.jobs.note();
      if (this.isManual) await this.#beginAbout({ do: 'record', request: 0, admin: 0 }, request);
      await this.#idle();
    }
    return isOver;
  }

  /** Learns of requests that are stored. */
  async #learnRequests(): Promise<void> {
    const rows = await this.world
      .admin`select id, client_id, creator_id, plan_id, stage from interactions order by created_at, id`;
    for (const row of rows) {
      const known = this.requests.find(({ id }) => id === row.id);
      if (row.stage !== known?.stage) this.#options.coverage.count('stage', row.stage);
      if (known) {
        known.stage = row.stage;
        continue;
      }
      const client = this.world.clients.find(({ profileId }) => profileId === row.client_id);
      const creator = this.world.creators.find(({ profileId }) => profileId === row.creator_id);
      if (client && creator)
        this.requests.push({ id: row.id, client, creator, planId: row.plan_id, stage: row.stage });
    }
  }
}

export type { Life };

const isAboutMoney =
  /ledger_|"?(refunds|payouts|payout_attempts|chargebacks|captured_payments)"?|update "?interactions/;

/** The request that a job or a call is about, as far as it says; refunds and payouts are named for theirs. */
function requestIn(payload: unknown): string | null {
  if (typeof payload !== 'object' || payload === null) return null;
  const { interactionId, payoutId, refundId, id: ownId } = payload as Record<string, unknown>;
  const id = interactionId ?? payoutId ?? refundId ?? ownId;
  return typeof id === 'string' ? id.replace(/-refund$/, '') : null;
}

/** The message of an error in a line of the log, on one line. */
const reasonIn = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'message' in error
    ? `: ${String(error.message).split('\n')[0]}`
    : '';
