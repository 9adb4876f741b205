import type { Interaction, MoneyProgress } from '@tara/contract/interactions/interactions';
import { meetingFields } from '@tara/contract/interactions/meetings';
import type { Party } from '@tara/contract/interactions/stages';
import { exactTime } from '../../ui/TimeLabel.tsx';

/** The text of what happens next with a request, for one side of it (§4). */
export function nextStep(request: Interaction, side: Party): string {
  if (request.cancelled) return endText(request, side);
  if (request.completed) return afterCompletion(request, side);
  if (request.stage === 'disputed') return disputedText(request, side);
  if (request.userSetDone) {
    return side === 'creator'
      ? 'Fulfilled. An admin confirms it next, then your payout starts.'
      : 'Fulfilled. An admin confirms it next, then you can write a review.';
  }
  if (request.proposal && side !== 'other') return proposalText(request, request.proposal.by, side);
  return side === 'creator' ? creatorNextStep(request) : clientNextStep(request);
}

/** Another day that one of the two proposes comes before all else. */
function proposalText({ whoSentReq, creator }: Interaction, by: Party, side: Party): string {
  const other = side === 'creator' ? whoSentReq.name : creator.name;
  return by === side
    ? `Waiting for ${other} to answer your proposal of another day.`
    : `Agree to the day that ${other} proposes, or not.`;
}

/** Why a request ended, for one side of it. */
function endText({ cancelReason, whoSentReq, creator }: Interaction, side: Party): string {
  const client = side === 'client' ? 'You' : whoSentReq.name;
  const host = side === 'creator' ? 'You' : creator.name;
  switch (cancelReason) {
    case 'withdrawn':
      return `${client} withdrew the request.`;
    case 'declined':
      return `${host} declined the request.`;
    case 'cancelled':
      return `${host} cancelled the plan.`;
    case 'unpaid':
      return 'It ended because it was not paid in time.';
    case 'unanswered':
      return `It ended because ${side === 'creator' ? 'you' : creator.name} did not accept it within a week.`;
    case 'time_taken':
      return 'It ended because another request got this time first.';
    case 'refunded':
      return 'An admin decided to give the money back.';
    case 'charged_back':
      return 'It ended because the card issuer took the payment back.';
    default:
      return 'This request was cancelled.';
  }
}

function disputedText({ whoSentReq: { name } }: Interaction, side: Party): string {
  return side === 'creator'
    ? `${name} says that there was a problem. An admin decides who gets the money.`
    : 'You said that there was a problem. An admin decides who gets the money.';
}

function afterCompletion({ reviewSubmitted, money }: Interaction, side: Party): string {
  if (side !== 'creator') {
    return reviewSubmitted
      ? 'Completed. Thank you for your review.'
      : 'Completed. You can write a review now.';
  }
  const { payout, state, takenBack } = money;
  if (payout === null) {
    if (takenBack > 0) return 'Completed. The card issuer took the payment back.';
    return state === 'owed' ? 'Completed. Your payout is on its way.' : 'Completed. Well done!';
  }
  if (payout.until !== null)
    return `Completed. Your payout waits until ${exactTime(payout.until)}, because your phone number changed.`;
  switch (payout.state) {
    case 'needs_number':
      return 'Completed. Your payout waits for your GCash number.';
    case 'refused':
      return 'Completed. Your payout was refused.';
    case 'frozen':
      return 'Completed. Your payout waits, because the card issuer disputes the payment.';
    case 'on_hold':
      return 'Completed. Your payout waits while Tara checks the payment.';
    case 'arrived':
      return 'Completed. Well done!';
    default:
      return 'Completed. Your payout is on its way.';
  }
}

const passed = 'The proposed day has passed.';

function creatorNextStep({
  accepted,
  paid,
  price,
  timePassed,
  dayReached,
  creatorMet,
  whoSentReq: { name },
}: Interaction): string {
  if (!accepted) {
    if (timePassed) return `${passed} Propose another one, or decline.`;
    if (price === 0) return 'Free: accept to meet.';
    return paid ? `${name} has paid. Accept to meet.` : `Accept to meet. ${name} has not paid yet.`;
  }
  if (!paid) return `Waiting for ${name} to pay.`;
  if (creatorMet) return `You said that you met. Waiting for ${name} to say that the plan is fulfilled.`;
  return dayReached
    ? `Did you meet ${name}? Say so; ${name} then says that the plan is fulfilled.`
    : `Meet ${name}, who then says that the plan is fulfilled.`;
}

function clientNextStep({
  accepted,
  paid,
  price,
  checkoutUrl,
  needsRefundNumber,
  haveConvoReceipt,
  timePassed,
  dayReached,
  creator: { name },
}: Interaction): string {
  if (timePassed && !accepted)
    return `${passed} ${paid ? `Change it, so that ${name} can accept.` : 'Change it, then pay.'}`;
  if (!paid && needsRefundNumber) return 'Name a number for refunds, then pay.';
  if (!paid && !checkoutUrl) return 'The payment is being prepared. It takes a moment.';
  if (!paid)
    return accepted ? `${name} accepted. Pay to open the chat.` : `Pay to open the chat with ${name}.`;
  if (!accepted) return `Waiting for ${name} to accept.`;
  if (dayReached)
    return `How was it? Say that the plan is fulfilled${price === 0 ? '' : ', or that there was a problem'}.`;
  return haveConvoReceipt
    ? 'Meet, then press ‘Plan is fulfilled’.'
    : `Open the chat to agree with ${name} on the details.`;
}

/** Whether a proposal of this side changes the day at once: the client's own, until the creator accepts. */
export const appliesImmediately = ({ accepted }: Interaction, side: Party) => side === 'client' && !accepted;

/** What the button that proposes another day says to one side. */
export const proposeLabel = (request: Interaction, side: Party) =>
  appliesImmediately(request, side) ? 'Change the day' : 'Propose another day';

/** Whose money it is, for the texts that one side of a request reads. */
export interface MoneyParties {
  side: Party;
  client: string;
  creator: string;
}

/** Where the refund of a request is. */
export function refundLabel({ state, way }: MoneyProgress, { side, client }: MoneyParties): string {
  const mine = side === 'client';
  const goal = way === 'provider' ? 'the way it was paid' : mine ? 'to your GCash' : 'by GCash';
  switch (state) {
    case 'needs_number':
      return mine
        ? 'The refund waits for your GCash number'
        : `The refund waits for ${client}’s GCash number`;
    case 'frozen':
      return 'The refund is stopped, because the card issuer disputes the payment';
    case 'on_hold':
      return 'The refund is stopped while Tara checks the payment';
    case 'delayed':
    case 'waiting':
      return `Being refunded to ${mine ? 'you' : client}`;
    case 'sending':
      return `On its way back to ${mine ? 'you' : client}, ${goal}`;
    case 'refused':
      return 'The refund was refused; we try again and an admin looks at it';
    case 'arrived':
      return `Refunded to ${mine ? 'you' : client}`;
  }
}

// By hand, as in `TimeLabel`: Philippine time, whatever the device's own.
const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sept', 'Oct', 'Nov', 'Dec'];

/** '6:00 PM' of '18:00'. */
function clock(time: string): string {
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  return `${hour % 12 || 12}:${String(minute).padStart(2, '0')} ${hour < 12 ? 'AM' : 'PM'}`;
}

const manilaOffsetMinutes = -480;

/** The parts of a day `YYYY-MM-DD` on a button: 'Sat', '5' and 'Dec'. */
export function dayLabel(day: string): { weekday: string; date: number; month: string } {
  const date = new Date(`${day}T00:00:00Z`);
  return {
    weekday: weekdays[date.getUTCDay()] ?? '',
    date: date.getUTCDate(),
    month: months[date.getUTCMonth()] ?? '',
  };
}

/** '6:00 PM' of a time, in Philippine time. */
export const clockLabel = (iso: string) => clock(meetingFields(iso).time);

/**
 * 'Sat, 5 Dec 2026, 6:00 PM to 8:00 PM', in Philippine time, which is named where the device has another one.
 * @param offsetMinutes of the device, as `getTimezoneOffset` returns it.
 */
export function meetingLabel(
  meetsAt: string,
  meetsUntil: string | null,
  offsetMinutes = new Date(meetsAt).getTimezoneOffset(),
): string {
  const { day, time } = meetingFields(meetsAt);
  const { weekday, date, month } = dayLabel(day);
  const end = meetsUntil ? ` to ${clockLabel(meetsUntil)}` : '';
  const zone = offsetMinutes === manilaOffsetMinutes ? '' : ' (Philippine time)';
  return `${weekday}, ${date} ${month} ${day.slice(0, 4)}, ${clock(time)}${end}${zone}`;
}

/** Text of a calendar file: what ends or escapes a value is escaped, control characters are left out. */
const calendarText = (text: string) =>
  text
    .replace(/[\\;,]/g, '\\$&')
    .replace(/\r\n|\r|\n/g, '\\n')
    .replace(/\p{Cc}/gu, '');

/** '20261205T100000Z'. */
const calendarTime = (iso: string) => new Date(iso).toISOString().replace(/[-:]|\.\d+/g, '');

/** A line has at most 75 bytes; what is longer goes on after a line break and a space. Never within a character. */
function fold(line: string): string {
  const lines = [''];
  let bytes = 0;
  for (const character of line) {
    const size = new TextEncoder().encode(character).length;
    if (bytes + size > 74) {
      lines.push('');
      bytes = 0;
    }
    lines[lines.length - 1] += character;
    bytes += size;
  }
  return lines.join('\r\n ');
}

interface CalendarEvent {
  id: string;
  title: string;
  place: string;
  meetsAt: string;
  meetsUntil: string;
  updatedAt: string;
}

/** A calendar file (RFC 5545) with one event. A later one of the same request takes its place in the calendar. */
export const calendarFile = ({ id, title, place, meetsAt, meetsUntil, updatedAt }: CalendarEvent): string =>
  [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Tara//Plans//EN',
    'BEGIN:VEVENT',
    `UID:${id}@tara`,
    `DTSTAMP:${calendarTime(updatedAt)}`,
    `SEQUENCE:${Math.floor(Date.parse(updatedAt) / 1000) % 2_147_483_647}`,
    `DTSTART:${calendarTime(meetsAt)}`,
    `DTEND:${calendarTime(meetsUntil)}`,
    `SUMMARY:${calendarText(title)}`,
    ...(place ? [`LOCATION:${calendarText(place)}`] : []),
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ]
    .map(fold)
    .join('\r\n');
