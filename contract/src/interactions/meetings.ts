import * as z from 'zod/mini';
import { nowMs } from '../clock.ts';
import { text } from '../fields.ts';
import { meetingAheadDays, planLength } from '../limits.ts';

/** The offset of `timeZone`, which has no summer time. */
const zoneOffset = '+08:00';
const zoneOffsetHours = 8;

const isAhead = (iso: string) => Date.parse(iso) > nowMs();
const isWithinYear = (iso: string) => Date.parse(iso) <= nowMs() + meetingAheadDays * 86_400_000;
const notAhead = 'Must be in the future.';
const tooFar = 'Must be at most a year ahead.';

/** When the two want to meet: a time with its offset, such as `2026-12-01T18:00:00+08:00`. */
export const MeetingTime = z.iso
  .datetime({ offset: true, error: 'Must be a date and time with its offset.', abort: true })
  .check(z.refine(isAhead, notAhead), z.refine(isWithinYear, tooFar));

/** Where they meet; may be empty. */
export const MeetingPlace = text(planLength.place);

/** The day and time of a form, in Philippine time, as the calls take it. */
export const meetingTime = (day: string, time: string) => `${day}T${time}:00${zoneOffset}`;

/** The reverse: `day` as `YYYY-MM-DD` and `time` as `HH:MM`, in Philippine time. */
export function meetingFields(iso: string): { day: string; time: string } {
  const local = new Date(Date.parse(iso) + zoneOffsetHours * 3_600_000).toISOString();
  return { day: local.slice(0, 10), time: local.slice(11, 16) };
}

/** A form of ours that proposes a day: day, time and place, all of them. */
export const MeetingForm = z
  .strictObject({
    day: z.iso.date({ error: 'Please choose a day.', abort: true }),
    time: z
      .string()
      .check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/, { error: 'Please choose a time.', abort: true })),
    place: MeetingPlace.check(z.minLength(1, 'Please say where you want to meet.')),
  })
  .check(
    z.refine(({ day, time }) => isAhead(meetingTime(day, time)), { error: notAhead, path: ['day'] }),
    z.refine(({ day, time }) => isWithinYear(meetingTime(day, time)), { error: tooFar, path: ['day'] }),
  );
export type MeetingForm = z.infer<typeof MeetingForm>;
