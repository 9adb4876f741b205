export const SECRET_KEY = 'sk_test_stage';
export const PREFIX = '/sandbox/provider';
