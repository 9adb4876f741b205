import { testPaymentPath } from '../../testing/payment-path.ts';
import { tillTest } from '../../testing/till.ts';

testPaymentPath(tillTest);
