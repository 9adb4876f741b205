/** Notices of success and texts of empty states, as in §2, §4, §5 and §8. */
export const notices = {
  accountCreated: { title: 'check your email to confirm your account' },
  accountCreationFailed: { title: 'Failed to create account', text: 'please try again later' },
  generic: { title: 'Something went wrong', text: 'please try again later' },
  signUpFailed: { title: 'Sign up failed. Please try again' },
  signInUnverified: { title: 'Sign in Failed. Are you verified?.' },
  confirmedSignInFailed: { title: 'Sign in Failed. Please try again' },
  unverifiedAction: {
    title: 'You cannot perform this action',
    text: 'please verified your account to continue',
  },
  accountClosed: { title: 'This account is closed', text: 'an admin of Tara closed it' },
  requestSent: { title: 'Request sent!', text: 'Please wait for the person to respond' },
  birthDateMissing: {
    title: 'Please add your birth date',
    text: 'plans are for members of 18 years and older',
  },
  underAge: {
    title: 'Plans are for members of 18 years and older',
    text: 'until then, everything else on Tara is yours to use',
  },
  planLimit: {
    title: "You can't add more plans.",
    text: 'to add more plans, you can continue to use your current plan by helping your friends!',
  },
  planConfirmFailed: { title: 'Failed to confirm plan', text: 'please try again later' },
  planConfirmed: { title: 'Plan confirmed', text: 'the payout is on its way.' },
  planCreated: { title: 'You added a plan. 😎' },
  profileUpdated: { title: 'Your About Information has been updated.' },
  payoutNumberChanged: {
    title: 'Your About Information has been updated.',
    text: 'payouts to the new phone number start after 24 hours, and we sent you an email about it',
  },
  profileFailed: { title: 'Something went wrong.', text: 'please try again later' },
  emailResent: { title: 'Request sent', text: 'Please check your email to confirm your account' },
  emailResendFailed: { title: 'Something went wrong', text: 'Please try again later' },
  usernameMissing: {
    title: 'Please enter your username',
    text: 'this is important so that friends can easily find you',
  },
  verificationSent: {
    title: 'Your request has been sent.',
    text: 'please wait for the admin to confirm it.',
  },
  verificationFailed: { title: 'Attempt to verify has failed', text: 'please try again later.' },
  reviewFailed: { title: 'Something went wrong', text: 'please try again later' },
  reviewWithoutInteraction: { title: 'please try again' },
  reviewNotYet: { title: 'Receipt is not confirm yet by admin', text: 'come back again later.' },
  postFailed: { title: 'Please try again' },
  duplicateRequest: { title: 'You already made a request' },
  duplicateSave: { title: 'You already saved this post' },
  expiredConversation: {
    title: 'Expired Conversation',
    text: 'if you want to continue chatting with your friends get one of their plan',
  },
  messagesNotWanted: {
    title: 'This member does not take new messages from you',
    text: 'you can get one of their plans instead',
  },
  receiptForbidden: { title: 'You are not allowed to view this' },
  unsupportedFileType: { title: 'Unsupported File Type', text: 'Only JPG, JPEG, and PNG files are allowed.' },
  notAnImage: { title: 'The file is not an image.' },
  pageNotFound: { title: 'Page Not Found' },
  unexpectedError: { title: 'Something went wrong.' },
} as const satisfies Record<string, { title: string; text?: string }>;

/** The warning beside a message that `proposesOffPlatform`, shown once per chat in both languages. */
export const offPlatformWarning = {
  en: {
    title: 'Stay on Tara to stay protected',
    text: 'This message may propose to pay or go on outside of Tara. Tara cannot refund or help with payments made elsewhere.',
  },
  fil: {
    title: 'Manatili sa Tara para protektado ka',
    text: 'Maaaring inaalok ng mensaheng ito na magbayad o magpatuloy sa labas ng Tara. Hindi maibabalik ng Tara ang bayad na ginawa sa iba, at hindi ito makakatulong doon.',
  },
} as const satisfies Record<'en' | 'fil', { title: string; text: string }>;

/** 'File size exceeds the maximum allowed size ({n} MB).' (§5); `bytes` is the limit. */
export const invalidFileSize = (bytes: number) => ({
  title: 'Invalid File Size',
  text: `File size exceeds the maximum allowed size (${bytes / 1024 / 1024} MB).`,
});

/** What stands in place of a message that its author took back (§4). */
export const unsentBody = 'message unsent';
/** What stands in a list of chats for a message without text. */
export const picturePreview = '📷';
/** The fixed name of lines that Tara or an admin writes in a chat (§3). */
export const adminName = 'Tara';

const irreversible = { title: 'Are you sure?', text: 'You will not be able to change it after' } as const;
export const areYouSure = { deletePost: irreversible, fulfilPlan: irreversible } as const;

export const empty = {
  requests: 'No Current Request',
  plans: 'No current plan is posted',
  adminList: 'List is clean good job 👍',
  messages: 'No messages.',
  chats: 'No Chats',
  olderMessages: 'No more conversation.',
  posts: 'No current post',
  reviews: 'No current Reviews',
  friends: 'No friends yet',
  comments: 'No comments yet',
  date: 'Not set yet.',
} as const;
