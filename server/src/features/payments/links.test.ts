import { testPaymentPath } from '../../testing/payment-path.ts';

testPaymentPath('classic');
