import { expect, test } from 'vitest';
import { firstMissing } from './missing.ts';

const there = { id: 'abc', sending: false };
const photos = [
  { label: 'Front of your ID', photo: there },
  { label: 'Back of your ID', photo: there },
];
const complete = { photos, address: '12 Mabini Street', accepted: true };

test('a complete request lacks nothing', () => {
  expect(firstMissing(complete)).toBeNull();
});

test('names the picture that is not there', () => {
  const without = [photos[0], { label: 'Back of your ID', photo: { id: null, sending: false } }];
  expect(firstMissing({ ...complete, photos: without.filter((one) => one !== undefined) })).toBe(
    'Back of your ID: please add a picture first.',
  );
});

test('waits for the picture that is being sent', () => {
  const sending = [{ label: 'Front of your ID', photo: { id: null, sending: true } }];
  expect(firstMissing({ ...complete, photos: sending })).toBe('Front of your ID: still being sent.');
});

test('asks for an address of 5 to 100 characters (§5)', () => {
  expect(firstMissing({ ...complete, address: ' 12  ' })).toBe('Address must be at least 5 characters.');
  expect(firstMissing({ ...complete, address: 'x'.repeat(101) })).toBe(
    'Address must be at most 100 characters.',
  );
});

test('asks for the terms last (§5)', () => {
  expect(firstMissing({ ...complete, accepted: false })).toBe(
    'Please accept the terms and conditions first.',
  );
});
