export { type PlanParams, PlanSearch, PlanSkeletons, PlanTiles, planSearchPages } from './PlanSearch.tsx';
export { PlanTitle, PriceLabel } from './PlanTitle.tsx';
