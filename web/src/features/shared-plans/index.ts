export { SharePlanButton } from './SharePlanButton.tsx';
