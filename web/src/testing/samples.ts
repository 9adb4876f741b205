import type { SessionContext } from '@tara/contract/accounts/accounts';
import type { Counts } from '@tara/contract/counts';
import { Interaction } from '@tara/contract/interactions/interactions';
import { type StepName, stageOf, stepNames } from '@tara/contract/interactions/stages';
import { eachAboutText, OwnProfile, type Person, Profile } from '@tara/contract/members/profiles';
import { VerificationRequest } from '@tara/contract/members/verification';
import { Conversation, ConversationRow } from '@tara/contract/messages/conversations';
import { Chat, Message } from '@tara/contract/messages/messages';
import type { Notification } from '@tara/contract/notifications/notifications';
import type { PageOf } from '@tara/contract/page';
import { Plan, PlanDetail } from '@tara/contract/plans/plans';
import { Review, type ReviewComment } from '@tara/contract/plans/reviews';
import type { Post } from '@tara/contract/posts/posts';
import * as z from 'zod/mini';

type EmptyField<Fields> = {
  [Name in keyof Fields]-?: null extends Fields[Name] ? Name : never;
}[keyof Fields];

/** The fields of a record that may be null, as null: a new one needs no value in the samples. */
function emptyFields<Shape extends z.core.$ZodShape>(schema: z.ZodMiniObject<Shape>) {
  const names = Object.entries<z.core.$ZodType>(schema.shape)
    .filter(([, field]) => z.safeParse(field, null).success)
    .map(([name]) => [name, null]);
  // Their names by the types.
  return Object.fromEntries(names) as Record<EmptyField<z.infer<typeof schema>>, null>;
}

/** When a sample was made, unless given. */
export const sampleTime = '2026-01-02T03:04:05.000+00:00';

/** A photo of the sea. */
export const samplePicture = {
  imageId: 'i1',
  imageUrl: '/picture',
  width: 4,
  height: 3,
  widths: [4],
  thumbhash: null,
  alt: 'Sea',
};
const portrait = { imageId: null, imageUrl: '/x', width: 1, height: 1, widths: [], thumbhash: null, alt: '' };

/** Longest word and sentence of a text field, for the states with long texts. */
export const longWord = 'Salamatpo'.repeat(12);
export const longText = `${longWord} ${'Tara sa dagat, bukas ng umaga. '.repeat(40)}`.trim();

/** One page of a list, the last unless it has a cursor for the next. */
export const samplePage = <Item>(items: Item[], next: string | null = null): PageOf<Item> => ({
  items,
  next,
});

/** A verified member by their first name, which is also their ids. */
export const samplePerson = (name: string, part: Partial<Person> = {}): Person => ({
  id: name,
  accountId: name,
  name,
  username: name,
  verified: true,
  picture: portrait,
  ...part,
});

/** A profile as other members see it, its optional fields empty. */
export const sampleProfile = (name: string, part: Partial<Profile> = {}): Profile => ({
  ...emptyFields(Profile),
  ...samplePerson(name),
  ...eachAboutText(() => ''),
  rating: { stars: null, totalReviews: 0, totalMeetings: 0 },
  createdAt: sampleTime,
  ...part,
});

/** A profile as its owner sees it. */
export const sampleOwnProfile = (name: string, part: Partial<OwnProfile> = {}): OwnProfile => ({
  ...emptyFields(OwnProfile),
  ...sampleProfile(name),
  email: `${name.toLowerCase()}@example.com`,
  phoneNumber: '09171234567',
  bDay: '1995-06-15',
  sentVerifiedReq: false,
  sharesPosts: false,
  limitedPlan: 3,
  totalPlan: 0,
  totalInteraction: 0,
  ...part,
});

/** The session of a verified member with a confirmed email. */
export const sampleSession = (
  name: string,
  {
    account = {},
    profile = {},
  }: { account?: Partial<SessionContext['account']>; profile?: Partial<OwnProfile> } = {},
): SessionContext => ({
  account: {
    id: name,
    email: `${name.toLowerCase()}@example.com`,
    emailVerification: true,
    isUserAdmin: false,
    secondFactor: null,
    deletesAt: null,
    hasConsented: true,
    suspendedUntil: null,
    warning: null,
    ...account,
  },
  profile: sampleOwnProfile(name, profile),
});

/** The session of an admin who has shown the second factor. */
export const sampleAdminSession = (name: string, account: Partial<SessionContext['account']> = {}) =>
  sampleSession(name, {
    account: {
      isUserAdmin: true,
      secondFactor: { isSetUp: true, validUntil: '2999-01-02T03:04:05.000+00:00' },
      ...account,
    },
  });

/** A post of Ana with a photo. */
export const samplePost = (part: Partial<Post> = {}): Post => ({
  id: 'p1',
  creator: {
    id: 'u1',
    accountId: 'a1',
    name: 'Ana',
    username: 'ana',
    picture: samplePicture,
    verified: null,
  },
  creatorId: 'u1',
  caption: 'Tara!',
  picture: samplePicture,
  location: '',
  tags: [],
  totalLikes: 0,
  createdAt: sampleTime,
  updatedAt: sampleTime,
  usedDp: false,
  liked: false,
  saved: false,
  ...part,
});

/** A plan of Ana that costs 250 pesos. */
export const samplePlan = (part: Partial<Plan> = {}): Plan => ({
  ...emptyFields(Plan),
  id: 'plan',
  creator: samplePerson('Ana'),
  title: 'Coffee in Makati',
  desc: 'Two cups and a walk.',
  time: '6-9 pm',
  durationMinutes: 120,
  place: 'Legazpi Village',
  price: 250,
  cover: samplePicture,
  photos: [],
  terms: 'Be on time and be kind.',
  rating: { stars: 9, totalReviews: 12, totalMeetings: 7 },
  createdAt: sampleTime,
  ...part,
});

/** A plan of Ana as Ben sees it, who may request it. */
export const samplePlanDetail = (part: Partial<PlanDetail> = {}): PlanDetail => ({
  ...emptyFields(PlanDetail),
  plan: samplePlan(),
  reviews: [],
  taken: [],
  creatorRating: { stars: 8, totalReviews: 20, totalMeetings: 31 },
  isCreator: false,
  viewerVerified: true,
  ...part,
});

/** What the server says of the steps of a request: these are possible, the others are not. */
export const sampleCan = (...possible: StepName[]): Interaction['can'] =>
  Object.fromEntries(
    stepNames.map((name) => [name, possible.includes(name) || 'This is not possible now.']),
  ) as Interaction['can'];

/** A request of Ben for a plan of Ana, unpaid and not accepted, with which nothing can be done but for the given fields. */
export function sampleRequest(fields: Partial<Omit<Interaction, 'stage'>> = {}): Interaction {
  const request = {
    ...emptyFields(Interaction),
    id: 'request',
    planId: 'plan',
    planTitle: 'Coffee in Makati',
    cover: portrait,
    whoSentReq: samplePerson('Ben'),
    creator: samplePerson('Ana'),
    clientAccountId: 'Ben',
    creatorAccountId: 'Ana',
    price: 250,
    paid: false,
    checkoutUrl: 'https://pay.example/x',
    haveConvoReceipt: false,
    ...{ accepted: false, userSetDone: false, adminSetDone: false, completed: false },
    ...{ cancelled: false, cancelNote: '', disputed: false, decided: false },
    frozen: false,
    place: '',
    ...{ timePassed: false, dayReached: false, creatorMet: false, cardDown: false },
    can: sampleCan(),
    ...{ reviewSubmitted: false, blocked: false, needsRefundNumber: false },
    platformFeeBasisPoints: 0,
    money: {
      ...{ state: 'unpaid' as const, amount: 250, takenBack: 0, at: null },
      ...{ payout: null, refund: null },
    },
    createdAt: '2026-01-01T00:00:00.000+00:00',
    updatedAt: '2026-01-01T00:00:00.000+00:00',
    ...fields,
  };
  return { ...request, stage: stageOf(request) };
}

/** A review that Ben wrote about Ana. */
export const sampleReview = (part: Partial<Review> = {}): Review => ({
  ...emptyFields(Review),
  id: 'review',
  creator: samplePerson('Ben'),
  creatorId: 'Ben',
  owner: samplePerson('Ana'),
  ownerId: 'Ana',
  planId: 'plan',
  planTitle: 'Coffee in Makati',
  caption: 'A day to remember',
  photos: [samplePicture],
  location: 'Mactan',
  stars: 9,
  tags: [],
  totalLikes: 0,
  totalComments: 0,
  createdAt: sampleTime,
  liked: false,
  ...part,
});

/** A comment of Ana on the review `review`. */
export const sampleComment = (part: Partial<ReviewComment> = {}): ReviewComment => ({
  id: 'comment',
  reviewId: 'review',
  creator: samplePerson('Ana'),
  creatorId: 'Ana',
  body: 'Thank you for coming.',
  clientKey: 'comment-key',
  createdAt: sampleTime,
  ...part,
});

/** Ben's request to be verified, which waits. */
export const sampleVerification = (part: Partial<VerificationRequest> = {}): VerificationRequest => ({
  ...emptyFields(VerificationRequest),
  id: 'verification',
  userId: 'Ben',
  creator: samplePerson('Ben', { verified: null }),
  address: '12 Mabini Street, Cebu City',
  birthDate: '1995-06-15',
  createdAt: sampleTime,
  ...part,
});

/** A message of Ben in the chat `AnaBen`. */
export const sampleMessage = (part: Partial<Message> = {}): Message => ({
  ...emptyFields(Message),
  id: 'message',
  chatId: 'AnaBen',
  sequence: 1,
  userId: 'Ben',
  name: 'Ben',
  body: 'See you at six.',
  admin: false,
  unsent: false,
  clientKey: 'message-key',
  createdAt: sampleTime,
  ...part,
});

/** The chat `AnaBen` with one message, read by both. */
export const sampleChat = (part: Partial<Chat> = {}): Chat => ({
  ...emptyFields(Chat),
  id: 'AnaBen',
  kind: 'conversation',
  lastSequence: 1,
  unread: 0,
  own: { delivered: 1, read: 1 },
  other: { delivered: 1, read: 1 },
  expiresAt: '2026-01-09T03:04:05.000+00:00',
  ...part,
});

/** A row of Ana's list: her chat with Ben, who wrote last. */
export const sampleConversationRow = (part: Partial<ConversationRow> = {}): ConversationRow => ({
  ...emptyFields(ConversationRow),
  id: 'conversation',
  mixId: 'AnaBen',
  person: samplePerson('Ben'),
  preview: 'See you at six.',
  previewOwn: false,
  lastSequence: 1,
  unread: 0,
  expired: false,
  updatedAt: sampleTime,
  ...part,
});

/** Ben accepted Ana's request a moment ago. */
export const sampleNotification = (part: Partial<Notification> = {}): Notification => ({
  id: 'notification',
  event: 'accepted',
  group: 'plans',
  title: 'Ben accepted your request',
  text: 'Ben accepted your request for Coffee.',
  link: '/manage-plans',
  person: samplePerson('Ben'),
  isRead: false,
  createdAt: sampleTime,
  ...part,
});

/** The conversation of Ana and Ben as Ana sees it, with Ben online. */
export const sampleConversation = (part: Partial<Conversation> = {}): Conversation => ({
  ...emptyFields(Conversation),
  id: 'AnaBen',
  mixId: 'AnaBen',
  person: samplePerson('Ben'),
  chat: sampleChat(),
  online: true,
  removeExpired: false,
  createdAt: sampleTime,
  ...part,
});

/** What waits for a member: nothing but what is given. */
export const sampleCounts = (values: Partial<Counts> = {}): Counts => ({
  plans: 0,
  planLists: { friendRequest: 0, yourRequest: 0, earn: 0, expense: 0, history: 0 },
  conversations: 0,
  messageRequests: 0,
  notifications: 0,
  planChats: [],
  changesAt: null,
  ...values,
});
