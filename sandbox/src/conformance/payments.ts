// `npm run conformance payments`: drives the payment sandbox with clients of the provider that others published.
// `-- --fault /v1/sources` lets the calls to a path fail, to see that failures are reported.
import { mkdtemp, rm } from 'node:fs/promises';
import { registerHooks } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPaymongo } from '@tara/paymongo';
import { readOptions, text } from '@tara/proof/options';
import { printTable } from '@tara/proof/table';
import Fastify from 'fastify';
import { openAccess } from '../access.ts';
import { createProvider } from '../provider/index.ts';
import { CALLS, loadClients, type ThirdPartyClient } from './clients.ts';
import { createFixtures, type Fixtures } from './fixtures.ts';
import { findShapeFault } from './shapes.ts';

const PROVIDER = 'https://api.paymongo.com';

/** Replaces the provider's address in the published files as they are loaded: the only change to the clients. */
function replaceAddress(address: string): void {
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context);
      if (!/\/node_modules\/(paymongo|paymongo-node|paymongo\.js)\//.test(url) || !loaded.source)
        return loaded;
      const source = Buffer.from(loaded.source as Uint8Array | string as string).toString('utf8');
      return { ...loaded, source: source.replaceAll(PROVIDER, address) };
    },
  });
}

type Cell = { text: 'passed' | 'FAILED' | 'own bug' | '–'; note?: string };

async function attempt(
  client: ThirdPartyClient,
  call: (typeof CALLS)[number],
  fixtures: Fixtures,
): Promise<Cell> {
  const run = client.attempts[call];
  if (!run) return { text: '–' };
  if (typeof run !== 'function') return { text: 'own bug', note: `${client.name}: ${call}: ${run.ownBug}` };
  try {
    const fault = findShapeFault(call, await run(fixtures));
    if (fault === null) return { text: 'passed' };
    return { text: 'FAILED', note: `${client.name}: ${call}: ${fault}` };
  } catch (error) {
    const reason = error instanceof Error ? error.message : JSON.stringify(error);
    return { text: 'FAILED', note: `${client.name}: ${call}: ${reason}` };
  }
}

/** Lets calls to a path fail, to see that failures are reported. */
async function addFault(origin: string, path: string): Promise<void> {
  const body = JSON.stringify({ kind: 'answer_500', path });
  await fetch(`${origin}/faults`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
}

/** Prints call × client, and the reasons below. The exit code: 1 when a call failed that the client itself makes correctly. */
async function main(): Promise<number> {
  const { fault } = readOptions('npm run conformance payments', { fault: text('PATH') });
  const folder = await mkdtemp(join(tmpdir(), 'conformance-'));
  const server = Fastify({ forceCloseConnections: true });
  let origin = '';
  const access = openAccess({ folder, always: false });
  const provider = createProvider({ folder, publicUrl: () => origin, access, pendingMs: 20 });
  await server.register(provider.plugin);
  origin = await server.listen({ port: 0, host: '127.0.0.1' });
  provider.start();
  try {
    replaceAddress(origin);
    const clients = loadClients(provider.secretKey);
    const own = createPaymongo({ secretKey: provider.secretKey, baseUrl: origin });
    const fixtures = createFixtures(own, async (sourceId) => {
      const body = new URLSearchParams({ decision: 'authorize' });
      await fetch(`${origin}/authorize/${sourceId}`, { method: 'POST', body });
    });
    if (fault !== null) await addFault(origin, fault);
    const rows: Cell[][] = [];
    for (const call of CALLS) {
      const row: Cell[] = [];
      // One after the other: each client keeps what it last asked in shared state.
      for (const client of clients) row.push(await attempt(client, call, fixtures));
      rows.push(row);
    }
    printTable(
      ['call', ...clients.map(({ name }) => name)],
      CALLS.map((call, index) => [call, ...(rows[index] ?? []).map((cell) => cell.text)]),
      'left',
    );
    for (const { text, note } of rows.flat()) if (note) console.log(`${text}: ${note}`);
    const count = (wanted: Cell['text']) => rows.flat().filter(({ text }) => text === wanted).length;
    console.log(
      `${count('passed')} passed, ${count('FAILED')} failed, ${count('own bug')} that the client itself gets wrong`,
    );
    return count('FAILED') === 0 ? 0 : 1;
  } finally {
    await provider.stop();
    await server.close();
    await rm(folder, { recursive: true, force: true });
  }
}

process.exitCode = await main();
