// A process of `shareSeeds`: lives the seeds that it is told, on the database whose address is its argument.
import { runSeeds, type Seeds } from './run.ts';
import { openWorld } from './world.ts';

const world = await openWorld(process.argv[2] ?? '');
process.on('disconnect', () => void world.close().then(() => process.exit(0)));
process.on('message', (seeds: Seeds) => {
  runSeeds(world, seeds).then(
    ({ coverage, ...run }) => process.send?.({ ...run, counts: coverage.counts }),
    (error: unknown) => {
      console.error(error);
      process.exit(1);
    },
  );
});
process.send?.('ready');
