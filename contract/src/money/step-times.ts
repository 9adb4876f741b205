import { longDate, longDateTime } from '../philippine-time.ts';
import type { DatedStep } from './confirmations.ts';

/** When a step happened, in Philippine time as all evidence; a day that nobody agreed to has no hour. */
export const stepTime = ({ step, at }: DatedStep): string =>
  step === 'dayWithoutAgreement' ? longDate(at) : longDateTime(at);

/** Stands beside times that are evidence: whoever reads them may be in another zone. */
export const timesArePhilippine = 'Times are Philippine.';
