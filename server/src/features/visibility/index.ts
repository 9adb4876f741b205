export {
  contentVisibleTo,
  hiddenName,
  type Reader,
  unplannedViewer,
  viewerPlaceholders,
  viewerVisibility,
  visibilityValues,
  visibleTo,
} from './condition.ts';
export { memberCan, requireVisible } from './policy.ts';
export { blocks, hiddenMembers, mutes, reportedMembers } from './tables.ts';
