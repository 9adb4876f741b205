// The product's server in a process that reports on its event loop.
import { answerFuzzer } from './monitor.ts';

answerFuzzer();
await import('@tara/server/main');
