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

  it('are what services hand out as keys, whatever the variable is called', () => {
    const keys = [
      ...[
        'sk-ant-api03-planted0123456789',
        'sk_live_planted4242',
        `ghp_${'p'.repeat(36)}`,
        `github_pat_${'p'.repeat(30)}`,
      ],
      ...['xoxb-123456789012-planted', `AIza${'p'.repeat(35)}`, `npm_${'p'.repeat(36)}`, `hf_${'p'.repeat(34)}`],
      ...['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.planted', '-----BEGIN RSA PRIVATE KEY-----\nplanted'],
    ];
    for (const value of keys) expect(environmentSecrets({ X: value }), value).toEqual([{ name: 'X', value }]);
    for (const value of ['sk-learn', 'skip-ci-for-all-of-these', 'npm_config_registry', 'eyJust a text.', 'ghp_short'])
      expect(environmentSecrets({ X: value }), value).toEqual([]);
  });

  it('values of fewer than eight characters are words like others', () => {
    expect(environmentSecrets({ USE_AUTH: 'enabled', DB: 'redis://:short@localhost' })).toEqual([
      { name: 'DB', value: 'redis://:short@localhost' },
    ]);
  });
});
