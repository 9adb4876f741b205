import { testPaymentPath } from '../../testing/payment-path.ts';

testPaymentPath('payment_links');
