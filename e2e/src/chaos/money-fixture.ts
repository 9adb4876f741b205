import type postgres from 'postgres';
import { Refused } from '../client.ts';
import { openDatabase } from '../outside.ts';
import {
  acceptVerifications,
  confirmEmail,
  createPlan,
  makeAdmin,
  newPerson,
  type Person,
  readProfile,
  sendVerification,
  signUp,
} from '../steps.ts';
import type { Tara } from '../tara.ts';

/** A client and a plan that this client can request: one request at a time. */
export interface Pair {
  client: Person;
  creator: Person;
  planId: string;
}

/** Members who sell and buy, and the admins who decide. */
export interface MoneyFixture {
  tara: Tara;
  admins: readonly [Person, Person];
  pairs: readonly Pair[];
}

/** Pesos: a round price, one with centavos, and the highest that a plan may have. */
const prices = [100, 750.5, 50_000];

async function joinAs(tara: Tara, name: string, seed: number): Promise<Person> {
  const person = newPerson(tara, name);
  await signUp(tara, person);
  await confirmEmail(tara, person);
  await sendVerification(person, seed);
  return person;
}

/** Makes `size` creators with a plan of each price, and as many clients; each client can request each plan. */
export async function openMoneyFixture(tara: Tara, size: number): Promise<MoneyFixture> {
  const admins = [newPerson(tara, 'Boss One'), newPerson(tara, 'Boss Two')] as const;
  for (const admin of admins) {
    await signUp(tara, admin);
    await confirmEmail(tara, admin);
    await makeAdmin(tara, admin);
  }
  const people: Person[] = [];
  for (let number = 0; number < 2 * size; number++)
    people.push(await joinAs(tara, `Member ${number}`, number));
  while (!(await readProfile(people.at(-1) ?? admins[0])).verified) await acceptVerifications(admins[0]);
  const creators = people.slice(0, size);
  const clients = people.slice(size);
  const offered: { creator: Person; planId: string }[] = [];
  for (const creator of creators) {
    for (const price of prices)
      offered.push({ creator, planId: await createPlan(creator, 'Island hopping', price) });
  }
  return { tara, admins, pairs: clients.flatMap((client) => offered.map((plan) => ({ client, ...plan }))) };
}

/** A killed database ends a connection in the middle of a write, or refuses one, which the client reports beside the query. */
function ignoreCutConnection(error: unknown): void {
  if (!['EPIPE', 'ECONNRESET', 'ECONNREFUSED', 'ENOENT'].includes((error as { code?: string }).code ?? ''))
    throw error;
}

/** Does what kills the database meanwhile: connections that a kill cuts end nothing. */
export async function amongKills<Result>(work: () => Promise<Result>): Promise<Result> {
  process.on('unhandledRejection', ignoreCutConnection);
  return work().finally(() => process.off('unhandledRejection', ignoreCutConnection));
}

/** Reads or changes the database directly; a database that was killed meanwhile is tried again. */
export const withDatabase = <T>(tara: Tara, work: (sql: postgres.Sql) => Promise<T>): Promise<T> =>
  insist(async () => {
    const sql = await openDatabase(tara);
    try {
      return await work(sql);
    } finally {
      await sql.end({ timeout: 1 });
    }
  });

/** ms until what failed is tried again, and how often: two minutes. */
const retryMs = 100;
const mostTries = 1200;

/** Whether something failed because a process was killed: no answer, or a database that cannot be reached. */
const isInterruption = (error: unknown) => !(error instanceof Refused) && !(error instanceof CheckFailed);

/** An error found in the ledger: trying again does not repair it. */
export class CheckFailed extends Error {}

/** Tries again what a kill interrupted, until it is answered; a refusal is an answer. */
export async function insist<T>(work: () => Promise<T>, tries = mostTries): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isInterruption(error) || tries === 1) throw error;
    await new Promise((done) => setTimeout(done, retryMs));
    return insist(work, tries - 1);
  }
}

/** A call of the sandbox beyond the provider's own: faults, settings, disputes. */
export async function control({ url }: Pick<Tara, 'url'>, path: string, body: object = {}): Promise<unknown> {
  const answer = await fetch(`${url}/sandbox${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`/sandbox${path} answered ${answer.status}: ${await answer.text()}`);
  return answer.json();
}
