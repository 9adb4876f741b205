// The product's server as it is, in a process that can be asked about its event loop.
import { answerFuzzer } from './monitor.ts';

answerFuzzer();
await import('@tara/server/main');
