import { describe, expect, it } from 'vitest';
import { refusalToCreate } from './may-create.ts';

describe('who may add a plan (§5)', () => {
  it('is a verified member below the limit', () => {
    expect(refusalToCreate({ verified: true, totalPlan: 4, limitedPlan: 5 })).toBeNull();
  });
  it('is nobody who is not verified, whatever their count', () => {
    expect(refusalToCreate({ verified: null, totalPlan: 0, limitedPlan: 5 })?.button).toBe('Not Verified!');
  });
  it('is nobody who reached the limit', () => {
    expect(refusalToCreate({ verified: true, totalPlan: 5, limitedPlan: 5 })?.button).toBe('Limited reach!');
  });
});
