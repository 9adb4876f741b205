export { PlanTitle } from './PlanTitle.tsx';
export { PriceLabel } from './PriceLabel.tsx';
