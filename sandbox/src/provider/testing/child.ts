// A provider in a separate process, so that a test can kill it. Argument: the data folder.
import { PREFIX, serveProvider } from './server.ts';

const { origin } = await serveProvider(process.argv[2] ?? '', { pendingMs: 3_600_000 });
process.stdout.write(`${origin}${PREFIX}\n`);
