// `npm run conformance payments`: drives the payment sandbox with clients of the provider that others published.
// `-- --fault /v1/sources` lets the calls to a path fail, to see that failures are reported.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readOptions, text } from '@tara/proof/options';
import { printTable } from '@tara/proof/table';
import { replaceAddress } from './address.ts';
import { loadClients, type ThirdPartyClient } from './clients.ts';
import { createFixtures, type Fixtures } from './fixtures.ts';
import { findOwnBugFault, type Outcome, ROWS, type Row } from './rows.ts';
import { type Exchange, startSandbox } from './sandbox.ts';

type Cell = { text: 'passed' | 'FAILED' | 'own bug' | '–'; note?: string };

/** Runs one row with one client. `exchanges` are all with the provider so far. */
async function attempt(
  row: Row,
  client: ThirdPartyClient,
  make: Fixtures,
  exchanges: readonly Exchange[],
): Promise<Cell> {
  const run = client.attempts[row.call] as ((input: unknown) => Promise<unknown>) | undefined;
  if (!run) return { text: '–' };
  const ownBug = client.ownBugs[row.title];
  const report = (text: Cell['text'], note: string): Cell => ({
    text,
    note: `${client.name}: ${row.title}: ${note}`,
  });
  try {
    const { input, findFault } = await row.prepare(make);
    const before = exchanges.length;
    const ending = await run(input).then(
      (result) => ({ result }),
      (error: unknown) => ({ error }),
    );
    const outcome: Outcome = { client, ...ending, exchanges: exchanges.slice(before) };
    const fault = ownBug ? findOwnBugFault(outcome, ownBug) : await findFault(outcome);
    if (fault !== null) return report('FAILED', fault);
    return ownBug ? report('own bug', ownBug.why) : { text: 'passed' };
  } catch (error) {
    return report('FAILED', error instanceof Error ? error.message : JSON.stringify(error));
  }
}

/** Prints row × client, and the reasons below. The exit code: 1 when a cell is not as it has to be. */
async function main(): Promise<number> {
  const { fault } = readOptions('npm run conformance payments', { fault: text('PATH') });
  const folder = await mkdtemp(join(tmpdir(), 'conformance-'));
  const sandbox = await startSandbox(folder);
  const loaded: ThirdPartyClient[] = [];
  const load = async (secretKey: string) => {
    const clients = await loadClients(secretKey, sandbox.origin);
    loaded.push(...clients);
    return clients;
  };
  try {
    replaceAddress(sandbox.origin);
    const clients = await load(sandbox.secretKey);
    const strangers = await load('sk_test_nobody');
    const make = createFixtures(sandbox);
    if (fault !== null) await sandbox.addFault(fault);
    const cells: Cell[][] = [];
    for (const row of ROWS) {
      const line: Cell[] = [];
      // One after the other: what a client asks is told from what the others ask by its time.
      for (const client of row.isWrongKey ? strangers : clients)
        line.push(await attempt(row, client, make, sandbox.exchanges));
      cells.push(line);
    }
    printTable(
      ['call', ...clients.map(({ name }) => name)],
      ROWS.map(({ title }, index) => [title, ...(cells[index] ?? []).map((cell) => cell.text)]),
      'left',
    );
    for (const { text, note } of cells.flat()) if (note) console.log(`${text}: ${note}`);
    const count = (wanted: Cell['text']) => cells.flat().filter(({ text }) => text === wanted).length;
    console.log(
      `${count('passed')} passed, ${count('FAILED')} failed, ${count('own bug')} that the client itself gets wrong`,
    );
    return count('FAILED') === 0 ? 0 : 1;
  } finally {
    for (const client of loaded) await client.close?.();
    await sandbox.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

process.exitCode = await main();
