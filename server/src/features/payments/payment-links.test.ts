import { testPaymentPath } from '../../testing/features/payment-path.ts';

testPaymentPath('payment_links');
