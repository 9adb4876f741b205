import { describe, expect, it } from 'vitest';
import { planCan } from './plans.ts';

describe('who can create a plan (§5)', () => {
  it('a verified member below the limit', () => {
    expect(planCan.create({ verified: true, totalPlan: 4, limitedPlan: 5 })).toBe(true);
  });
  it('no unverified member, whatever their count', () => {
    expect(planCan.create({ verified: null, totalPlan: 0, limitedPlan: 5 })).toBe('plan_creator_unverified');
  });
  it('no member who reached the limit', () => {
    expect(planCan.create({ verified: true, totalPlan: 5, limitedPlan: 5 })).toBe('plan_limit_reached');
  });
});
