export { PriceLabel } from './PriceLabel.tsx';
