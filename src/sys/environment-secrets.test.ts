import { describe, expect, it } from 'vitest';
import { environmentSecrets } from './environment-secrets.ts';

describe('what is never kept', () => {
  it('are the values of secrets, and passwords inside of addresses, as they are and as they are meant', () => {
    const env = { HOME: '/home/ann', A_TOKEN: 'planted-token', DB: 'postgres://u:planted%40pw@h/db' };
    expect(environmentSecrets(env)).toEqual([
      { name: 'A_TOKEN', value: 'planted-token' },
      { name: 'DB', value: 'postgres://u:planted%40pw@h/db' },
      { name: 'DB', value: 'planted%40pw' },
      { name: 'DB', value: 'planted@pw' },
    ]);
  });

  it('values of fewer than eight characters are words like others', () => {
    expect(environmentSecrets({ USE_AUTH: 'enabled', DB: 'redis://:short@localhost' })).toEqual([
      { name: 'DB', value: 'redis://:short@localhost' },
    ]);
  });
});
