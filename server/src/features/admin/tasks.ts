import type { Platform } from '../../platform/platform.ts';
import { tasks } from '../../platform/tasks.ts';
import { notifyWork } from './work.ts';

/** Jobs of this feature. */
export const adminTasks = ({ database }: Pick<Platform, 'database'>) =>
  tasks.notifyWork.handledBy(() => notifyWork(database));
