import './platform/import-resolution.ts';
import { createServer } from 'node:net';
import { type Config, readConfigOrExit } from './config.ts';
import { hasCode } from './platform/error-code.ts';
import { openLog } from './platform/log.ts';
import { safeMessage } from './platform/log-errors.ts';
import { refusedExitCode, StartRefused } from './platform/start-refused.ts';

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

// Nothing is certain after an error that nobody caught, such as in a timer of a library: the process ends, and `npm start`
// starts it again. Rejections that nobody handles come here, too.
process.on('uncaughtException', (error) => {
  log.fatal({ err: error }, 'the server ends by an error that nothing caught');
  process.exit(1);
});

/** Whether a start cannot succeed until a person changes something: the port counts, which a setting names. */
const isRefused = (error: unknown) =>
  error instanceof StartRefused || hasCode(error, 'EADDRINUSE', 'EADDRNOTAVAIL', 'EACCES');

/** Ends the process in order: by an exit, which ends the embedded database, too, while Tara is still starting. */
let stop: () => Promise<void> = async () => {};
let stopping = false;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    if (stopping) return;
    stopping = true;
    // Whatever is still under way.
    setTimeout(() => process.exit(1), config.drainDelayMs + config.drainMs).unref();
    stop().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ err: error }, 'could not stop cleanly');
        process.exit(1);
      },
    );
  });
}

try {
  // Here, because imports at the top are resolved before import-resolution.ts runs.
  const { startTara } = await import('./app.ts');
  const tara = await startTara(config, log);
  // For `npm start`, which then takes a later refusal for one of the moment.
  // The channel stays: it may be another parent's. Nothing is to be done where that one has ended.
  process.send?.('serving', undefined, undefined, () => undefined);
  stop = tara.stop;
  await tara.filled;
  for (const page of tara.pages) console.log(page);
  // Last, so that a process that reads it may already send a signal.
  console.log(`Tara is ready at ${config.publicUrl}`);
} catch (error) {
  log.debug({ err: error }, 'could not start');
  console.error(error instanceof Error ? safeMessage(error) : String(error));
  process.exit(isRefused(error) ? refusedExitCode : 1);
}
