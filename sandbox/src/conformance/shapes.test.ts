import { expect, it } from 'vitest';
import { findAnswerFault, findShapeFault } from './shapes.ts';

const letters = 'abcdefghijklmnopqrstuvwx';
const seconds = 1_750_000_000;

const attributes = {
  ...{ amount: 10_000, currency: 'PHP', fee: 250, foreign_fee: 0, tax_amount: null, net_amount: 9_750 },
  ...{ source: { id: `src_${letters}`, type: 'gcash' }, billing: null, description: 'Tea' },
  ...{ statement_descriptor: null, external_reference_number: null, payment_intent_id: null },
  ...{ refunds: [], payout: null, paid_at: seconds, status: 'paid', livemode: false },
  ...{ created_at: seconds, updated_at: seconds },
};
const payment = { id: `pay_${letters}`, type: 'payment', attributes };
/** An object of a client's own, which leaves some attributes out. */
const { foreign_fee: _fee, external_reference_number: _number, ...own } = attributes;

it.for([
  ['a reply', { data: payment }],
  ['its data', payment],
  ['a list', { has_more: false, data: [payment, payment] }],
  ['an object of a client’s own', { id: payment.id, ...own }],
  ['a reply with more', { data: { ...payment, attributes: { ...attributes, promotion: null } } }],
] as const)('%s of the right shape passes', ([, result]) => {
  expect(findShapeFault('GET /payments', result)).toBeNull();
});

const withAttributes = (changed: object) => ({
  data: { ...payment, attributes: { ...attributes, ...changed } },
});

it.for([
  ['another kind', { data: { ...payment, id: `pi_${letters}` } }, /^id: /],
  ['an id that is too short', { data: { ...payment, id: payment.id.slice(0, -1) } }, /^id: /],
  ['an id that is too long', { data: { ...payment, id: `${payment.id}y` } }, /^id: /],
  ['an id with another character', { data: { ...payment, id: `${payment.id.slice(0, -1)}-` } }, /^id: /],
  ['another type', { data: { ...payment, type: 'link' } }, /^type: /],
  ['an amount in pesos', withAttributes({ amount: 100.5 }), /^attributes\.amount: /],
  ['a time in milliseconds', withAttributes({ created_at: seconds * 1_000 }), /^attributes\.created_at: /],
  ['an unknown status', withAttributes({ status: 'done' }), /^attributes\.status: /],
  ['a net amount with the fee', withAttributes({ net_amount: 10_000 }), /^attributes\.net_amount: /],
  ['a missing attribute', withAttributes({ livemode: undefined }), /^attributes\.livemode: /],
  ['a missing attribute in an object of a client’s own', { id: payment.id, ...own, fee: undefined }, /fee: /],
  ['a wrong second resource', { has_more: false, data: [payment, { ...payment, id: 'pay_1' }] }, /^id: /],
  ['a list that does not say whether it ends', { data: [payment] }, /no resource/],
  ['an empty list', { has_more: false, data: [] }, /no resource/],
  ['no reply', undefined, /no resource/],
] as const)('%s is a fault', ([, result, fault]) => {
  expect(findShapeFault('GET /payments/{id}', result)).toMatch(fault);
});

const answer = { id: payment.id, amount: 10_000, source: { type: 'gcash' }, refunds: [] };

it.for([
  ['a reply', { data: payment }],
  ['a list', { has_more: false, data: [{ ...payment, id: `pay_${letters.toUpperCase()}` }, payment] }],
  ['an object of a client’s own', { id: payment.id, amount: 10_000 }],
] as const)('%s has what is wanted', ([, result]) => {
  expect(findAnswerFault(result, answer)).toBeNull();
});

it.for([
  ['another id', { data: { ...payment, id: 'pay_1' } }, /no pay_/],
  ['a list without the resource', { has_more: false, data: [{ ...payment, id: 'pay_1' }] }, /no pay_/],
  ['another amount', withAttributes({ amount: 100 }), /^attributes\.amount: 100 in place of 10000$/],
  ['another part of an attribute', withAttributes({ source: { type: 'card' } }), /^attributes\.source: /],
  ['a list that is too long', withAttributes({ refunds: [{}] }), /^attributes\.refunds: /],
  ['a missing attribute', withAttributes({ refunds: undefined }), /^attributes\.refunds: undefined/],
  ['another amount in an object of a client’s own', { id: payment.id, amount: 1 }, /^attributes\.amount: /],
] as const)('%s is not what is wanted', ([, result, fault]) => {
  expect(findAnswerFault(result, answer)).toMatch(fault);
});

it('searches for nothing else', () => {
  const both = { has_more: false, data: [payment, { ...payment, id: 'pay_1' }] };
  expect(findAnswerFault(both, answer, { isOnly: true })).toBe('the reply has 2 resources in place of one');
});
