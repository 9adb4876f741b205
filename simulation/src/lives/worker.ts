// A process of `openPool`: lives the seeds that it is told of the subject that its first argument names, on the database whose
// address is the second.
import { runSeeds, type Seeds } from './run.ts';
import { findSubject, type SubjectName } from './subjects.ts';

const [name, url = ''] = process.argv.slice(2);
const subject = findSubject(name as SubjectName);
const world = await subject.openWorld(url);
process.on('disconnect', () => process.exit(0));
// Whoever interrupts the run ends the one that disconnects.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});
process.on('message', (seeds: Seeds) => {
  runSeeds({ subject, world }, seeds).then(
    ({ coverage, ...run }) => process.send?.({ ...run, counts: coverage.counts }),
    (error: unknown) => {
      console.error(error);
      process.exit(1);
    },
  );
});
process.send?.('ready');
