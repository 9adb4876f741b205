import { MeetingForm, meetingTime } from '@tara/contract/interactions/meetings';
import { takenAt } from '@tara/contract/plans/plan-times';
import type { PlanDetail } from '@tara/contract/plans/plans';
import { problemNotice } from '@tara/contract/problems';
import * as z from 'zod/mini';
import { noticeSentence } from '../../lib/call.ts';
import { clockLabel } from './request-texts.ts';

type TakenTimes = PlanDetail['taken'];

/** The form of a meeting of so many minutes, which refuses times at which its creator is booked. */
export const freeMeetingForm = (taken: TakenTimes, minutes: number) =>
  MeetingForm.check(
    z.refine(({ day, time }) => takenAt(taken, meetingTime(day, time), minutes).length === 0, {
      error: noticeSentence(problemNotice('interaction_time_taken')),
      path: ['time'],
    }),
  );

/** At what times of a day the creator, null for the viewer, is booked; null when at none. */
export function bookedText(taken: TakenTimes, day: string, creatorName: string | null): string | null {
  if (!/^\d{4}-\d\d-\d\d$/.test(day)) return null;
  const times = takenAt(taken, meetingTime(day, '00:00'), 24 * 60).map(
    ({ from, until }) => `${clockLabel(from)} to ${clockLabel(until)}`,
  );
  return times.length === 0
    ? null
    : `${creatorName === null ? 'You are' : `${creatorName} is`} booked ${times.join(' and ')}.`;
}
