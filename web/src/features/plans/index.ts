export { PlanTitle, PriceLabel } from './PlanTitle.tsx';
