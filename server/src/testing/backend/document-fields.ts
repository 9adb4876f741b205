import type { CollectionId } from '@tara/contract/wire/documents';

/** The fields of §3; `id` is `$id`, and when it was created or updated is `$createdAt` and `$updatedAt`. */
export const documentFields: Record<CollectionId, string> = {
  users:
    'accountId name username email phoneNumber imageUrl imageId bio sentVerifiedReq verified lookingFor education hobby gender bDay limitedPlan totalPlan totalInteraction',
  posts: 'creator creatorId caption imageUrl imageId location tags totalLikes usedDp stars',
  plans: 'creator title desc time price imageId imageCover terms earned',
  planInteractions:
    'planId plan whoSentReq creator price paid paymentId referenceNumber checkoutUrl webhookId planTitle conversationReceipt haveConvoReceipt accepted userSetDone adminSetDone completed cardDown reviewSubmitted creatorAccountId clientAccountId',
  likedPosts: 'whoLiked postId',
  likedReviews: 'whoLiked reviewId',
  saves: 'postId userId post',
  reviews: 'creator creatorId owner ownerId plan caption imageUrl imageId location stars tags',
  reviewComments: 'reviewId creator creatorId body',
  conversations: 'mixId creators accountIds expiration removeExpired preview',
  chats: 'creator body convoId mixId imageUrl imageId chatId name',
  chatReceipts: 'conversationReceiptId body imageUrl imageId name userId',
  conversationReceipts: 'convoId interactionId creatorAccountId clientAccountId',
  verifying: 'userId creator idFront idFrontId idBack idBackId photo photoId address valid',
  friendLists: 'owner',
  // §3 shows none.
  conversationOwners: 'owner accountId conversations unread',
};
