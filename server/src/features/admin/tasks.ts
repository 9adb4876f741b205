import type { Platform } from '../../platform/platform.ts';
import { tasks } from '../../platform/tasks.ts';
import { notifyWork } from './work.ts';

/** Jobs of this feature. */
export const adminTasks = (context: Pick<Platform, 'database' | 'config'>) =>
  tasks.notifyWork.handledBy(() => notifyWork(context));
