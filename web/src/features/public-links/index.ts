export { InviteButton, SharePlanPageButton } from './PublicLinkButtons.tsx';
