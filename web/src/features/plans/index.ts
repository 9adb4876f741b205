export { type PlanParams, PlanSearch, PlanTiles, planSearchPages } from './PlanSearch.tsx';
export { PlanTitle, PriceLabel } from './PlanTitle.tsx';
