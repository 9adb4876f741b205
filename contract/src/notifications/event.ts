import type { Stage } from '../interactions/stages.ts';
import type { MemberFacts, RequestFacts } from './facts.ts';
import type { NotificationGroup } from './groups.ts';

/** Where the button of a notification about a request leads. In place of a chat that cannot be read it is Plan Manager. */
export type RequestPage =
  | 'manager'
  | 'friendRequest'
  | 'yourRequest'
  | 'pendingFriends'
  | 'chat'
  | 'dispute'
  | 'history'
  | 'payoutNumber'
  | 'payment'
  | 'refund'
  | 'payout';

/** What one person reads of an event: in the app, in an email, on a device. */
interface NotificationText {
  /** One line; the subject of the email. */
  title: string;
  text: string;
  /** Of the link. */
  button: string;
  /** The last line of the email, in place of that of the group. */
  otherwise?: string;
}

export interface RequestText extends NotificationText {
  page: RequestPage;
}

export interface MemberText extends NotificationText {
  /** Path of a page of Tara. */
  link: string;
}

/**
 * How soon a notification is mailed: at once; a few minutes later if nobody saw it by then; or not by an email of its own.
 */
export type Urgency = 'atOnce' | 'urgent' | 'normal';

/** By which ways a notification reaches a member who changed nothing in the settings. */
export interface Channels {
  inApp: boolean;
  push: boolean;
  /** An email: of its own, or for a `normal` one as part of the daily one. */
  email: boolean;
}

interface Event {
  group: NotificationGroup;
  urgency: Urgency;
  channels: Channels;
  /** Quiet hours and a pause do not hold it up, nor what is `atOnce`: later it is of no use. */
  isNeverHeld?: true;
}

/** An event of a request, for its parties. A party without a text is not notified. */
export interface RequestEvent extends Event {
  audience: 'parties';
  /** The stages of the request in which it asks for something: it is mailed and pushed only then. */
  asksIn?: readonly Stage[];
  /** The line of Tara in the plan chat, which both parties read. */
  line?: (facts: RequestFacts) => string | null;
  client?: (facts: RequestFacts) => RequestText | null;
  creator?: (facts: RequestFacts) => RequestText | null;
}

/** An event for one member. */
export interface MemberEvent extends Event {
  audience: 'member';
  /** Another member did it: those who blocked or muted that member, or were blocked, are not notified. */
  byMember: boolean;
  member: (facts: MemberFacts) => MemberText;
}

/** An event for all admins. */
export interface AdminEvent extends Event {
  audience: 'admins';
  admin: (facts: MemberFacts) => MemberText;
}

/** Until the creator accepts. */
export const untilAccepted = ['requested', 'paid'] as const satisfies readonly Stage[];
/** Until the client calls the plan fulfilled. */
export const untilFulfilled = [...untilAccepted, 'accepted', 'ready'] as const satisfies readonly Stage[];

const everywhere: Channels = { inApp: true, push: true, email: true };

/** Of what waits for a person, or what they wait for. */
export const urgentPlan = {
  audience: 'parties',
  group: 'plans',
  urgency: 'urgent',
  channels: everywhere,
} as const;
/** Of the money of a request. */
export const urgentMoney = { ...urgentPlan, group: 'money' } as const;
/** A line in the plan chat alone. */
export const lineAlone = {
  audience: 'parties',
  group: 'plans',
  urgency: 'normal',
  channels: { inApp: false, push: false, email: false },
} as const;
/** Of the account's security: mailed at once. */
export const security = {
  audience: 'member',
  byMember: false,
  group: 'account',
  urgency: 'atOnce',
  channels: everywhere,
} as const;
/** Of the account, what a member waits for. */
export const urgentAccount = { ...security, urgency: 'urgent' } as const;
/** What other members do. None of it is pushed. */
export const social = {
  audience: 'member',
  byMember: true,
  group: 'posts',
  urgency: 'normal',
  channels: { inApp: true, push: false, email: true },
} as const;
/** What waits for admins. */
export const adminWork = {
  audience: 'admins',
  group: 'work',
  urgency: 'normal',
  channels: everywhere,
} as const;
/** What is wrong, such as a ledger that does not add up. */
export const adminAlert = { ...adminWork, group: 'alerts', urgency: 'urgent' } as const;
