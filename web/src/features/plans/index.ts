export { HowPlansWork } from './HowPlansWork.tsx';
export { NextPlan, PlanRow } from './PlanCard.tsx';
export type { PlanParams } from './PlanFilters.tsx';
export { PlanSearch, PlanTiles, planSearchPages } from './PlanSearch.tsx';
export { NoticeBox } from './PlanTerms.tsx';
export { PlanTitle, PriceLabel } from './PlanTitle.tsx';
