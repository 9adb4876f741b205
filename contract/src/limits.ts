import type { ChatKind } from './messages/messages.ts';

/** The numbers of §5 and §9, defined only here. Lengths are in characters, sizes in bytes, times in milliseconds. */

export const nameLength = { min: 2, max: 20 } as const;
/** Longest search text. */
export const searchLength = 100;
/** A search looks at the newest records that have its words, and answers the best of them. */
export const search = { newestHits: 2_000, results: 30 } as const;
/** Where people, plans and posts are one list: how many of each, and how many characters of a caption. */
export const quickSearch = { results: 5, captionLength: 100 } as const;
export const usernameLength = { min: 2, max: 15 } as const;
export const passwordLength = { min: 8, max: 256 } as const;
/** Longest JSON of an account's prefs, bytes. */
export const prefsSize = 65_536;
/** Seconds that a JSON web token of a session lives. */
export const jwtSeconds = { usual: 900, max: 3600 } as const;
export const captionLength = 5000;
/** Characters of a caption that a shared link shows to people who are not signed in (decisions §2). */
export const sharedCaptionLength = 100;
export const locationLength = 100;
export const altLength = 300;
export const tagsLength = 300;
export const profileLength = {
  bio: 255,
  city: 40,
  gender: 15,
  lookingFor: 100,
  hobby: 80,
  education: 30,
  workingAs: 30,
  phoneNumber: 30,
} as const;
/** `pickerStart`: where the picker opens; nothing is stored until a date is chosen (decisions §2). */
export const birthDate = { earliest: '1900-01-01', pickerStart: '2002-01-01' } as const;
/** Years of age that buying and selling plans needs (decisions §2). */
export const adultAge = 18;
export const planLength = {
  title: 30,
  desc: 5000,
  time: 10,
  place: 100,
  terms: { min: 20, max: 5000 },
} as const;
/** How long a plan takes, in minutes. */
export const planMinutes = { min: 30, max: 1440, default: 120 } as const;
/** Most photos of one plan beside its cover. */
export const planPhotoLimit = 5;
/** What the page of a plan has of its reviews and of its creator's taken times. */
export const planPageLimit = { reviews: 3, takenTimes: 200 } as const;
export const addressLength = { min: 5, max: 100 } as const;
export const messageLength = 5000;
/** Characters of a message in the list of chats. */
export const previewLength = 100;
/** Where the counts of what waits for a member stop. People read '99+'. */
export const countLimit = 100;
/** Messages of a message request, until it is accepted. */
export const requestMessages = 3;
/** Message requests that a member begins: in an hour, and at most while others wait for an answer. */
export const messageRequests = { perHour: 20, waiting: 50 } as const;
/** Default days until a conversation expires (decisions §1). */
export const conversationDays = 7;
/** Default days until an unpaid request expires, counted again from its acceptance. */
export const unpaidDays = 7;
/** Days after which a paid or free request that its creator did not accept ends, with a refund in full. */
export const unansweredDays = 7;
/** Days after the plan's day on which the client is asked how it was. */
export const reminderDays = [1, 3, 6] as const;
/** How far ahead the day of a plan can be. */
export const meetingAheadDays = 365;
/** Days from acceptance to the plan's day, when none was agreed. */
export const dayWithoutAgreementDays = 14;
/** Days from the plan's day until an admin decides what the client did not answer. */
export const noAnswerDays = 7;
/** Hours after fulfilment in which the client can still open a dispute. */
export const objectionHours = 48;
/** Months of a creator's earnings that are listed; totals are of all time. */
export const earningsMonths = 24;
/** What each side of a dispute says, and its most photos and messages of its own from the plan chat. */
export const disputeStoryLength = 2000;
export const disputePhotoLimit = 5;
export const disputeMessageLimit = 10;
/** How many of its own messages, the newest, a side chooses from. */
export const disputeMessagesOffered = 50;
/** For how long an admin can correct that a dispute of a card issuer is about no payment of Tara. */
export const foreignDisputeDays = 90;
/** Why a creator or an admin ended a request. */
export const cancelNoteLength = 500;
/** At most once in this time the author of a post or a review is notified of likes. */
export const likesIntervalMs = 60_000;
/** Notifications that one call marks as read. */
export const notificationsPerCall = 100;
/** Default minutes after which an urgent notification is mailed that was not seen. */
export const notificationMailMinutes = 5;
/** The hour of a member's day at which the daily email goes. */
export const dailyEmailHour = 18;
/** Notifications that one email lists; of more it says how many. */
export const notificationsPerEmail = 20;
/** Hours for which a member can pause notifications: a pause ends by itself, because requests wait for an answer. */
export const notificationPauseHours = [1, 8, 24, 168] as const;
/** Days after which a notification that was read is deleted. */
export const readNotificationDays = 90;
/** How many members one member can block, and mute: every list compares with them. */
export const blockLimit = 500;
/** Most photos of one review. */
export const reviewPhotoLimit = 5;
/** How long its writer can change a review. */
export const reviewEditMs = 24 * 3_600_000;
/** A comment on a review. */
export const commentLength = 1000;
/** The text of a report, and of a warning. */
export const reportDetailLength = 1000;
/** An admin's words to a member whose verification request is declined. */
export const declineNoteLength = 1000;
/** How many messages a report of one copies: it, and those of the same member before it. */
export const reportedMessages = 10;
export const suspensionDays = { min: 1, max: 365 } as const;
export const starScale = { min: 0, max: 10, default: 10 } as const;

export const defaultUsername = 'User025';
export const startLimitedPlan = 5;

/** Browsers of one account that get notifications: of more the oldest gives way. */
export const deviceLimit = 10;

/** In centavos; the provider's minimum for a payment link is ₱100.00 (decisions §1, 'price 0'). */
export const price = { minimumCentavos: 100_00, maximumCentavos: 9_999_999_99 } as const;
/** Centavos that each side of a split gets at least: the provider refunds no less. */
export const splitMinimumCentavos = 1_00;

export const upload = {
  images: 20_971_520,
  messageFiles: 5_242_880,
  verificationFiles: 20_971_520,
  /** Size of each part but the last of a larger file (§9). */
  part: 5_242_880,
  /** Pictures are compressed to at most this size. */
  compressed: 2 * 1024 * 1024,
} as const;
export const pictureTypes = ['image/jpeg', 'image/png'] as const;
/** Quality of previews (§9): of members' cards, of posts and grids, and after an upload. Avatars have their own. */
export const previewQuality = { card: 25, post: 30, uploaded: 100 } as const;
/** Widths in pixels of the stored variants; a picture is never enlarged. */
export const pictureWidths = [96, 320, 640, 1080] as const;

/** Messages that fill a screen: a chat opens with as many, and fetches as many when it is scrolled up. */
export const messagesPerScreen = 30;

export const pageSize = {
  feed: 10,
  recent: 10,
  popular: 10,
  saved: 10,
  likers: 20,
  people: 20,
  friends: 20,
  profilePosts: 10,
  reviews: 10,
  comments: 10,
  receiptMessages: 10,
  conversationMessages: 3,
  conversations: 10,
  interactions: 10,
  plans: 10,
  admin: 20,
  blocks: 20,
  notifications: 20,
} as const;
/** How many pages of messages one call may request (decisions §1). */
export const maxPagesPerCall = 20;
/** The pages that fill a screen: the query of the call that opens a chat of a kind. */
export const firstPages = (kind: ChatKind) => ({
  pages: Math.ceil(
    messagesPerScreen / pageSize[kind === 'receipt' ? 'receiptMessages' : 'conversationMessages'],
  ),
});

export const skeletons = {
  postCards: 10,
  homeFeed: 20,
  history: 15,
  planManager: 30,
  planList: 15,
  chatList: 25,
  notifications: 12,
} as const;

export const displayLength = {
  bio: 41,
  planTitleLarge: 23,
  planTitleSmall: 14,
  description: 15,
  adminAddress: 30,
  comment: 150,
  alt: 100,
} as const;
export const postImageMaxHeight = 800;

export const timer = {
  formToastMs: 3000,
  searchDebounceMs: 500,
  forbiddenRedirectMs: 1300,
  confirmingFailureHomeMs: 3000,
  resendCountdownSeconds: 60,
  confirmingInitialSeconds: 20,
  verificationMessageInitialSeconds: 2,
  confirmingWaitSeconds: 60,
} as const;

/** Delay before the n-th reconnect of the realtime socket (§9). */
export function reconnectDelayMs(attempt: number): number {
  if (attempt < 5) return 1_000;
  if (attempt < 15) return 5_000;
  if (attempt < 100) return 10_000;
  return 60_000;
}

/** Fetching data is retried 3 times, doubling from 1 s up to 30 s (§8). */
export const retry = { times: 3, firstDelayMs: 1_000, longestDelayMs: 30_000 } as const;
/** How long sensitive calls are allowed after the password was entered. */
export const recentPasswordMs = 15 * 60_000;
/** How long a session has the rights of an admin after it showed the second factor. */
export const secondFactorMs = 12 * 3_600_000;
/** How long such a session may decide, pay and look at identity pictures. */
export const recentSecondFactorMs = 15 * 60_000;
/** Codes that replace the authenticator app, each once. */
export const recoveryCodeCount = 10;
/** Delay after a phone number changes until payouts go to it. */
export const payoutNumberDelayMs = 24 * 3_600_000;
/** Delay until an account is deleted, in which its member can keep it. */
export const accountDeletionDelayMs = 14 * 24 * 3_600_000;
/** Delay between two exports of a member's data. */
export const exportIntervalMs = 24 * 3_600_000;
/** How long an export can be downloaded. */
export const exportLifetimeMs = 7 * 24 * 3_600_000;
/** Shown in place of a deleted member's name. */
export const deletedName = 'Deleted member';
export const queryGarbageCollection = 5 * 60_000;

/** Days of the product (birthdays, days of plans, months of earnings) are those of one time zone, wherever a reader is. */
export const timeZone = 'Asia/Manila';

/** Hours after a plan's day until the link that shares it ends. */
export const sharedPlanHours = 24;

/** The day of the terms and the privacy policy to which members agree; a new one asks every member again. */
export const termsVersion = '2026-11-28';
