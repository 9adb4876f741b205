// `npm run bench idle`: the memory of 5,000 signed-in connections, and how fast a message reaches one of them.

import { readOptions } from '@tara/proof/options';
import { printTable } from '@tara/proof/table';
import type { IdleLoad, IdleResult } from './idle/load.ts';
import type { ServerMemory } from './idle/monitor.ts';
import { startChild } from './measure/child.ts';
import { milliseconds, ratio } from './measure/figures.ts';
import { median } from './measure/latencies.ts';
import { requireFigure } from './measure/requirement.ts';
import { addChats } from './setup/chats.ts';
import { type BenchDatabase, runWorkload } from './setup/database.ts';
import { addMembers } from './setup/members.ts';
import { startServer } from './setup/server.ts';

readOptions('npm run bench idle', {});

/** Connections with which the many are compared: the members of 25 chats. */
const few = 50;
const many = 5_000;
/** How often the many are connected, each time between two phases with the few: the machine's load changes. */
const rounds = 3;
/** Messages of each phase, one after the other. Of each batch the median is taken. */
const sending = { batches: 16, messages: 50 };
/** Maximum memory of one connection, and maximum ratio of the median latencies. */
const required = { bytes: 12_000, latency: 1.5 };
/** Time limit of a report of the server's memory. */
const reportTimeoutMs = 30_000;

interface Phase extends IdleResult {
  memory: ServerMemory;
}

const usedBytes = ({ memory }: Phase) => memory.javaScript + memory.native;
const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;

async function measure(database: BenchDatabase): Promise<Phase[]> {
  await addMembers(database, many);
  const chats = await addChats(database, { first: 0, count: few / 2, kind: 'conversation' });
  let onReport = (_memory: ServerMemory) => {};
  const server = await startServer(database, {
    rateLimits: false,
    monitor: {
      module: new URL('./idle/monitor.ts', import.meta.url),
      report: (memory: ServerMemory) => onReport(memory),
    },
  });
  const load = startChild<IdleLoad, IdleResult>(new URL('./idle/load.ts', import.meta.url));
  const readMemory = () =>
    new Promise<ServerMemory>((resolve, reject) => {
      setTimeout(() => reject(new Error('The server did not report its memory.')), reportTimeoutMs).unref();
      onReport = resolve;
      process.kill(server.pid, 'SIGUSR2');
    });
  const run = async (connections: number): Promise<Phase> => {
    const result = await load.ask({ connections: connections - few, ...sending });
    return { ...result, memory: await readMemory() };
  };
  try {
    await load.ask({ open: chats, port: server.port });
    // Not counted: code is compiled and caches fill.
    await run(few);
    const phases = [await run(few)];
    for (let round = 0; round < rounds; round++) phases.push(await run(many), await run(few));
    return phases;
  } finally {
    await Promise.all([load.stop(), server.stop()]);
  }
}

/** The median latency of each phase with many connections, as a multiple of the mean of the two phases around it. */
const latencyRatios = (phases: readonly Phase[]): number[] =>
  phases.flatMap(({ connections, p50 }, index) => {
    const around = [phases[index - 1], phases[index + 1]].flatMap((phase) => phase?.p50 ?? []);
    return connections === many ? [p50 / median(around)] : [];
  });

function judge(phases: readonly Phase[]): boolean {
  const [before, during] = phases;
  if (!before || !during) throw new Error('A phase is missing.');
  printTable(
    ['connections', 'quickest p50', 'p99', 'objects', 'C heap'],
    phases.map(({ connections, p50, p99, memory }) => [
      connections.toLocaleString('en'),
      milliseconds(p50),
      milliseconds(p99),
      megabytes(memory.javaScript),
      megabytes(memory.native),
    ]),
  );
  // From the first rise: memory that is free again is not returned to the system.
  const bytes = (usedBytes(during) - usedBytes(before)) / (during.connections - before.connections);
  const ratios = latencyRatios(phases);
  console.log(`times of the phases: ${ratios.map(ratio).join(', ')}`);
  return [
    requireFigure(
      'memory of one connection',
      bytes,
      { atMost: required.bytes },
      (figure) => `${(figure / 1000).toFixed(1)} kB`,
    ),
    requireFigure(
      `median latency beside ${many.toLocaleString('en')} connections, times that beside ${few}`,
      median(ratios),
      { atMost: required.latency },
    ),
  ].every(Boolean);
}

await runWorkload(async (database) => judge(await measure(database)));
