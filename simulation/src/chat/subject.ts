import { tasks } from '@tara/server/platform/tasks';
import type { Subject } from '../lives/subject.ts';
import { crashPointNames } from './crash-points.ts';
import { live } from './life.ts';
import { deedNames, drawScript, networkFaults, type Script } from './script.ts';
import { openWorld, type World } from './world.ts';
import { pairNames } from './writers.ts';

/** Chats of two people, and who listens to them. */
export const chat: Subject<World, Script> = {
  name: 'chat',
  openWorld,
  drawScript,
  live,
  known: [],
  mustHappen: {
    deed: deedNames,
    fault: networkFaults,
    job: [tasks.announceLiftedExpiry.name, tasks.notifyExpiring.name, tasks.removeUnsentMessages.name],
    answer: ['200', 'chat_closed', 'chat_expired', 'chat_read_only', 'chat_request_full'].map(
      (answer) => `send: ${answer}`,
    ),
    shown: ['message', 'unsent', 'mark', 'typing', 'presence', 'changed'],
    'crash before': crashPointNames,
    'at once': pairNames,
  },
  excluded: {},
};
