/** A title for people, with a second line or without. */
const notice = <Text extends string | undefined = undefined>(title: string, text?: Text) => ({
  title,
  text: text as Text,
});

/** Notices of success and texts of empty states, as in §2, §4, §5 and §8. */
export const notices = {
  accountCreated: notice('check your email to confirm your account'),
  accountCreationFailed: notice('Failed to create account', 'please try again later'),
  generic: notice('Something went wrong', 'please try again later'),
  signUpFailed: notice('Sign up failed. Please try again'),
  signInUnverified: notice('Sign in Failed. Are you verified?.'),
  confirmedSignInFailed: notice('Sign in Failed. Please try again'),
  unverifiedAction: notice('You cannot perform this action', 'please verified your account to continue'),
  accountClosed: notice('This account is closed', 'an admin of Tara closed it'),
  requestSent: notice('Request sent!', 'Please wait for the person to respond'),
  birthDateMissing: notice('Please add your birth date', 'plans are for members of 18 years and older'),
  underAge: notice(
    'Plans are for members of 18 years and older',
    'until then, everything else on Tara is yours to use',
  ),
  planLimit: notice(
    "You can't add more plans.",
    'to add more plans, you can continue to use your current plan by helping your friends!',
  ),
  planConfirmFailed: notice('Failed to confirm plan', 'please try again later'),
  planConfirmed: notice('Plan confirmed', 'the payout is on its way.'),
  planCreated: notice('You added a plan. 😎'),
  profileUpdated: notice('Your About Information has been updated.'),
  payoutNumberChanged: notice(
    'Your About Information has been updated.',
    'payouts to the new phone number start after 24 hours, and we sent you an email about it',
  ),
  profileFailed: notice('Something went wrong.', 'please try again later'),
  emailResent: notice('Request sent', 'Please check your email to confirm your account'),
  emailResendFailed: notice('Something went wrong', 'Please try again later'),
  usernameMissing: notice(
    'Please enter your username',
    'this is important so that friends can easily find you',
  ),
  verificationSent: notice('Your request has been sent.', 'please wait for the admin to confirm it.'),
  verificationFailed: notice('Attempt to verify has failed', 'please try again later.'),
  reviewWithoutInteraction: notice('please try again'),
  reviewNotYet: notice('Receipt is not confirm yet by admin', 'come back again later.'),
  postFailed: notice('Please try again'),
  duplicateRequest: notice('You already made a request'),
  duplicateSave: notice('You already saved this post'),
  expiredConversation: notice(
    'Expired Conversation',
    'if you want to continue chatting with your friends get one of their plan',
  ),
  messagesNotWanted: notice(
    'This member does not take new messages from you',
    'you can get one of their plans instead',
  ),
  receiptForbidden: notice('You are not allowed to view this'),
  unsupportedFileType: notice('Unsupported File Type', 'Only JPG, JPEG, and PNG files are allowed.'),
  /** An unsupported type with what its owner can do: phones of one maker store photos so. */
  heicPhoto: notice(
    'Unsupported File Type',
    'Only JPG, JPEG, and PNG files are allowed. This is a HEIC photo: share it as JPG first. For new ones choose Settings, Camera, Formats, Most Compatible on your iPhone.',
  ),
  notAnImage: notice('The file is not an image.'),
  pageNotFound: notice('Page Not Found'),
  unexpectedError: notice('Something went wrong.'),
} as const;

/** The warning beside a message that `proposesOffPlatform`, shown once per chat in both languages. */
export const offPlatformWarning = {
  en: notice(
    'Stay on Tara to stay protected',
    'This message may propose to pay or go on outside of Tara. Tara cannot refund or help with payments made elsewhere.',
  ),
  fil: notice(
    'Manatili sa Tara para protektado ka',
    'Maaaring inaalok ng mensaheng ito na magbayad o magpatuloy sa labas ng Tara. Hindi maibabalik ng Tara ang bayad na ginawa sa iba, at hindi ito makakatulong doon.',
  ),
} as const;

/** 'File size exceeds the maximum allowed size ({n} MB).' (§5); `bytes` is the limit. */
export const invalidFileSize = (bytes: number) =>
  notice('Invalid File Size', `File size exceeds the maximum allowed size (${bytes / 1024 / 1024} MB).`);

/** Shown in place of a message that its author took back (§4). */
export const unsentBody = 'message unsent';
/** Shown in a list of chats for a message without text. */
export const picturePreview = '📷';
/** The fixed name of lines that Tara or an admin writes in a chat (§3). */
export const adminName = 'Tara';

const irreversible = notice('Are you sure?', 'You will not be able to change it after');
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
