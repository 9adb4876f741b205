import { expect, test } from 'vitest';
import { nowMs } from '../clock.ts';
import { MeetingForm } from './meetings.ts';

test.each(['', '24:00'])('a day ahead is not called past while the time is %j', (time) => {
  const day = new Date(nowMs() + 5 * 86_400_000).toISOString().slice(0, 10);
  const { error } = MeetingForm.safeParse({ day, time, place: 'Luneta Park' });
  expect(error?.issues.map(({ path, message }) => [path, message])).toEqual([
    [['time'], 'Please choose a time.'],
  ]);
});
