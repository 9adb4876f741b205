import { createServer } from 'node:net';
import { startTara } from './app.ts';
import { type Config, readConfigOrExit } from './config.ts';
import { openLog } from './platform/log.ts';
import { safeMessage } from './platform/log-errors.ts';

/** ms from the first signal until the process ends whatever is still under way. */
const stopTimeoutMs = 5_000;

/** With `PORT=0` a free port is chosen first, because links in mails and checkouts must name it. */
async function withPort(config: Config): Promise<Config> {
  if (config.port !== 0) return config;
  const port = await new Promise<number>((resolve, reject) => {
    const probe = createServer().once('error', reject);
    probe.listen(0, config.host, () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
  return { ...config, port, publicUrl: config.publicUrl.replace(/:0$/, `:${port}`) };
}

const config = await withPort(readConfigOrExit());
const log = openLog({ level: config.logLevel });

try {
  const tara = await startTara(config, log);
  let stopping = false;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (stopping) return;
      stopping = true;
      setTimeout(() => process.exit(1), stopTimeoutMs).unref();
      tara.stop().then(
        () => process.exit(0),
        (error: unknown) => {
          log.error({ err: error }, 'could not stop cleanly');
          process.exit(1);
        },
      );
    });
  }
  for (const page of tara.pages) console.log(page);
  // Last, so that a process that reads it may already send a signal.
  console.log(`Tara is ready at ${config.publicUrl}`);
} catch (error) {
  log.debug({ err: error }, 'could not start');
  console.error(error instanceof Error ? safeMessage(error) : String(error));
  process.exit(1);
}
