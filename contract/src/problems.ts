import { messageRequests, requestMessages } from './limits.ts';
import { notices } from './notices.ts';

/**
 * The catalogue of errors (§8). `type` is the backend service's where it has one; the message shown to people is
 * `title` and, where the specification has a second line, `text`. A sentence that the web also shows by itself stands in
 * `notices` and is referred to here, so that the web's first load does not carry the whole catalogue.
 */
type Entry = { code: number; title: string; text?: string };

export const problems = {
  // Every call
  general_argument_invalid: { code: 400, title: 'Some of the values are not valid.' },
  general_body_too_large: { code: 413, title: 'The request is too large.' },
  general_headers_too_large: { code: 431, title: 'The headers of the request are too large.' },
  general_timeout: { code: 408, title: 'The request took too long.' },
  general_unauthorized_scope: { code: 401, title: 'Please sign in to continue.' },
  general_unknown_origin: { code: 403, title: 'This site may not make requests here.' },
  general_route_not_found: { code: 404, ...notices.pageNotFound },
  general_rate_limit_exceeded: {
    code: 429,
    title: 'Too many attempts',
    text: 'please wait a moment and try again',
  },
  general_query_invalid: { code: 400, title: 'A query of the list is not valid.' },
  general_cursor_not_found: { code: 400, title: 'This list has changed', text: 'please load it again' },
  general_unknown: { code: 500, ...notices.generic },
  general_unavailable: { code: 503, title: 'Tara is busy', text: 'please try again in a moment' },
  general_storage_full: {
    code: 507,
    title: 'There is not enough space to store this',
    text: 'please try again later',
  },
  project_not_found: { code: 404, title: 'There is no such project.' },
  admin_own_record: {
    code: 403,
    title: 'This is about you',
    text: 'another admin has to decide it',
  },
  admin_only: { code: 403, title: 'Only an admin may do this.' },
  // Accounts
  user_already_exists: { code: 409, ...notices.accountCreationFailed },
  user_invalid_credentials: { code: 401, title: 'Sign in failed. Please try again' },
  user_blocked: { code: 401, ...notices.accountClosed },
  user_suspended: {
    code: 403,
    title: 'Your account is suspended',
    text: 'you can read, and end what is open',
  },
  user_invalid_token: {
    code: 401,
    title: 'This link was already used or has expired',
    text: 'please request a new one',
  },
  user_jwt_invalid: { code: 401, title: 'This token is wrong or has expired.' },
  user_jwt_creation_denied: { code: 403, title: 'A token cannot make another token.' },
  user_session_already_exists: { code: 401, title: 'You are already signed in.' },
  user_sign_in_again: {
    code: 403,
    title: 'Please sign in again',
    text: 'your first password can be set within 15 minutes',
  },
  user_session_not_found: { code: 404, title: 'There is no such session.' },
  user_unauthorized: { code: 401, title: 'You are not allowed to do this.' },
  user_password_mismatch: { code: 400, title: 'The passwords do not match.' },
  user_password_common: {
    code: 400,
    title: 'This password is too common',
    text: 'please choose another',
  },
  general_phone_disabled: { code: 503, title: 'Text messages cannot be sent now.' },
  user_phone_not_found: { code: 400, title: 'This account has no phone number.' },
  user_phone_already_verified: { code: 409, title: 'This phone number is already confirmed.' },
  user_email_not_found: { code: 400, title: 'This account has no email.' },
  user_email_already_verified: { code: 409, title: 'This email is already confirmed.' },
  user_email_already_exists: { code: 409, title: 'This email already has an account.' },
  user_phone_already_exists: { code: 409, title: 'This phone number already has an account.' },
  user_auth_method_unsupported: { code: 501, title: 'This way to sign in is not available.' },
  user_oauth2_bad_request: {
    code: 400,
    title: 'This sign-in was already used or has expired',
    text: 'please start again',
  },
  user_oauth2_unauthorized: {
    code: 401,
    title: 'The sign-in was cancelled or refused',
    text: 'please try again',
  },
  user_oauth2_provider_error: {
    code: 424,
    title: 'The other site did not answer as expected',
    text: 'please try again later',
  },
  user_identity_not_found: { code: 404, title: 'There is no such way to sign in.' },
  user_identity_last: {
    code: 409,
    title: 'This is the only way into your account',
    text: 'set a password or confirm an email first',
  },
  shared_plan_not_found: {
    code: 404,
    title: 'This link has ended',
    text: 'it was taken back, or the plan is over',
  },
  account_consent_missing: {
    code: 403,
    title: 'You have not agreed to the terms yet',
    text: 'agree to the terms and the privacy policy first',
  },
  account_leaving: {
    code: 403,
    title: 'Your account is about to be deleted',
    text: 'keep it to go on',
  },
  account_requests_open: { code: 409, title: 'You have open paid requests' },
  account_deletion_begun: { code: 409, title: 'This account is being deleted.' },
  account_export_too_soon: { code: 429, title: 'You can request your data once a day' },
  account_export_not_found: { code: 404, title: 'This download has expired.' },
  user_email_unverified: { code: 403, ...notices.unverifiedAction },
  user_recent_password_required: {
    code: 403,
    title: 'Please confirm your password',
    text: 'sensitive actions require it',
  },
  user_password_wrong: { code: 400, title: 'The password is not correct.' },
  // Files
  storage_file_empty: { code: 400, title: 'Please choose a file.' },
  storage_file_type_unsupported: { code: 400, ...notices.unsupportedFileType },
  storage_invalid_file_size: {
    code: 400,
    title: 'Invalid File Size',
    text: 'File size exceeds the maximum allowed size.',
  },
  storage_invalid_file: {
    code: 403,
    title: 'This file cannot be read as a picture',
    text: 'please choose another',
  },
  storage_file_already_exists: { code: 409, title: 'A file with this id already exists.' },
  storage_unused_limit: {
    code: 409,
    title: 'You have too many unused pictures',
    text: 'please use or remove them, or try again tomorrow',
  },
  storage_upload_too_slow: {
    code: 408,
    title: 'Your upload took too long',
    text: 'please try again with a better connection',
  },
  storage_bucket_not_found: { code: 404, title: 'There is no such bucket.' },
  storage_file_not_found: { code: 404, title: 'There is no such file.' },
  storage_image_resolution_exceeded: { code: 400, title: 'This preview has too many pixels.' },
  storage_invalid_range: { code: 416, title: 'This range of bytes is not in the file.' },
  storage_invalid_content_range: { code: 400, title: 'The range of this part is not valid.' },
  storage_invalid_appwrite_id: { code: 400, title: 'The id of this upload is not valid.' },
  storage_unfinished_limit: {
    code: 409,
    title: 'You have too many unfinished uploads',
    text: 'please finish or remove them, or try again tomorrow',
  },
  // Documents
  database_not_found: { code: 404, title: 'There is no such database.' },
  database_query_order_null: {
    code: 400,
    title: 'The list cannot go on after this document',
    text: 'it has no value of the attribute that the list is ordered by',
  },
  database_timeout: { code: 408, title: 'The query took too long', text: 'please ask for less' },
  collection_not_found: { code: 404, title: 'There is no such collection.' },
  document_not_found: { code: 404, title: 'There is no such document.' },
  document_already_exists: { code: 409, title: 'There is such a document already.' },
  document_invalid_structure: { code: 400, title: 'Invalid document structure' },
  document_missing_data: { code: 400, title: 'The data of the document is missing.' },
  document_missing_payload: {
    code: 400,
    title: 'There is nothing to change: data and permissions are missing.',
  },
  // Members and posts
  profile_not_found: { code: 404, title: 'There is no such member.' },
  block_own_profile: { code: 400, title: 'You cannot block or mute yourself.' },
  block_limit_reached: {
    code: 409,
    title: 'Your list is full',
    text: 'please remove somebody from it first',
  },
  friend_not_found: { code: 404, title: 'This member is not on your friend list.' },
  profile_birth_date_fixed: {
    code: 409,
    title: 'Your birth date cannot be changed any more',
    text: 'it belongs to your verification; an admin can correct it',
  },
  profile_name_in_verification: {
    code: 409,
    title: 'Your name cannot be changed now',
    text: 'an admin is verifying it',
  },
  post_not_found: { code: 404, title: 'There is no such post.' },
  post_already_saved: { code: 409, ...notices.duplicateSave },
  // Reports
  report_not_found: { code: 404, title: 'There is no such report.' },
  report_record_not_found: { code: 404, title: 'There is nothing to report.' },
  report_own_record: { code: 400, title: 'You cannot report yourself.' },
  report_already_sent: {
    code: 409,
    title: 'You already reported this',
    text: 'an admin will look at it',
  },
  report_not_possible: { code: 409, title: 'This is not possible for this report.' },
  // Verification
  verification_already_sent: {
    code: 409,
    title: 'You already sent a request',
    text: notices.verificationSent.text,
  },
  verification_birth_date_missing: {
    code: 409,
    title: 'The birth date is missing',
    text: 'please enter it from the ID first',
  },
  verification_not_found: { code: 404, title: 'There is no such verification request.' },
  // Plans and requests
  plan_not_found: { code: 404, title: 'There is no such plan.' },
  plan_creator_unverified: { code: 403, ...notices.unverifiedAction },
  plan_paused: {
    code: 409,
    title: 'This plan takes no requests now',
    text: 'its creator is not verified at the moment',
  },
  plan_closed: {
    code: 409,
    title: 'This plan takes no new requests',
    text: 'its creator closed it',
  },
  plan_birth_date_missing: { code: 403, ...notices.birthDateMissing },
  plan_under_age: { code: 403, ...notices.underAge },
  plan_limit_reached: { code: 409, ...notices.planLimit },
  interaction_own_plan: { code: 403, title: 'You cannot request your own plan.' },
  interaction_already_requested: { code: 409, ...notices.duplicateRequest },
  interaction_not_found: { code: 404, title: 'There is no such request.' },
  interaction_time_taken: { code: 409, title: 'The creator is booked at this time. Please choose another.' },
  interaction_not_allowed: { code: 409, title: 'This is not possible now.' },
  dispute_already_answered: { code: 409, title: 'You already answered this dispute.' },
  request_decision_not_possible: { code: 409, title: 'There is nothing to decide about this request.' },
  money_case_not_found: { code: 404, title: 'This payout or refund does not exist.' },
  money_case_not_possible: {
    code: 409,
    title: 'Nothing of this waits for you.',
    text: 'It is paid, on its way, or was tried again meanwhile.',
  },
  plan_confirm_failed: { code: 409, ...notices.planConfirmFailed },
  // Receipts
  receipt_not_found: { code: 404, ...notices.receiptForbidden },
  // Chats
  chat_not_found: { code: 404, title: 'There is no such chat.' },
  chat_closed: { code: 409, title: 'This plan is completed', text: 'its chat is closed.' },
  chat_read_only: {
    code: 409,
    title: 'This chat is read-only',
    text: 'you can no longer write to each other',
  },
  chat_expired: { code: 409, ...notices.expiredConversation },
  chat_request_text_only: {
    code: 409,
    title: 'Only text for now',
    text: 'pictures can be sent once they accept your message request',
  },
  chat_request_full: {
    code: 409,
    title: 'Your message request waits for an answer',
    text: `until they accept it you can send ${requestMessages} messages`,
  },
  message_not_found: { code: 404, title: 'There is no such message.' },
  conversation_not_found: { code: 404, title: 'There is no such conversation.' },
  conversation_own: { code: 403, title: 'You cannot write to yourself.' },
  conversation_requests_hourly: {
    code: 429,
    title: 'Too many new message requests',
    text: `you can write to ${messageRequests.perHour} people you do not know an hour: please try again later`,
  },
  conversation_requests_waiting: {
    code: 409,
    title: 'Many of your message requests wait for an answer',
    text: `at most ${messageRequests.waiting} can wait at once: please write to others once some are accepted`,
  },
  conversation_not_wanted: { code: 403, ...notices.messagesNotWanted },
  // Reviews
  review_not_found: { code: 404, title: 'There is no such review.' },
  review_already_written: { code: 409, title: 'You already wrote a review for this plan.' },
  review_edit_closed: {
    code: 409,
    title: 'This review can no longer be changed',
    text: 'reviews can be edited for 24 hours',
  },
  comment_not_found: { code: 404, title: 'There is no such comment.' },
  review_not_yet: { code: 409, ...notices.reviewNotYet },
  // Payment
  payment_link_failed: {
    code: 502,
    title: 'The payment could not be prepared',
    text: 'please try again in a moment',
  },
  payment_signature_invalid: { code: 401, title: 'The signature is not valid.' },
} as const satisfies Record<string, Entry>;

export type ProblemType = keyof typeof problems;

/** The reply of a failed call: the backend service's fields, and our own `title`, `text` and `fields`. */
export interface ProblemReply {
  message: string;
  code: number;
  type: string;
  version: string;
  title: string;
  text?: string;
  /** The error message of each invalid field. */
  fields?: Record<string, string>;
  requestId?: string;
}

/** The notice of a problem, for a toast or a page. */
export function problemNotice(type: ProblemType): { title: string; text?: string } {
  const entry: Entry = problems[type];
  return entry.text === undefined ? { title: entry.title } : { title: entry.title, text: entry.text };
}

/** The `message` of an error reply. */
export function problemMessage(type: ProblemType): string {
  const { title, text } = problemNotice(type);
  return text === undefined ? title : `${title} - ${text}`;
}
