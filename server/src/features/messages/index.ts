export { announceChatEvent, announceEntry, chatChannel } from './announce.ts';
export { chatDistributions } from './distributions.ts';
export { rebuildEntries, repairEntries, saveEntries } from './entries.ts';
export { markChat, showReadMarks } from './marks.ts';
export { openChat } from './open.ts';
export { chatCan, otherMember } from './policy.ts';
export { presentChat } from './present.ts';
export {
  findChat,
  inspectPlanChat,
  isChatPictureReadable,
  listMessages,
  listOwnTexts,
  readableChats,
  readChat,
} from './read.ts';
export { recentChats } from './recent.ts';
export { messageRoutes, messageTasks } from './routes.ts';
export { type MessageSender, messageSender, storeLines, writeLine } from './send.ts';
export { chatEntries, chatEntryProgress, chatMarks, chats, messages, unsentMessages } from './tables.ts';
export { type AnnounceTyping, type LearnChats, openChatLearning, openTyping } from './typing.ts';
export { findOriginal, forgetOriginal, removeMessage, unsendMessage } from './unsend.ts';
