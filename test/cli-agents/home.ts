/**
 * What a CLI agent finds when it starts: a home of its own, the address of the fake model, and no telemetry, updates or
 * reports. Nothing of the user's environment is passed on.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { FakeKind } from '../fake-models/server.ts';
import { installed, type ToolName } from './install.mjs';
import { modelOrigin } from './namespace.ts';

export interface Cli {
  /** The service that it speaks with. */
  readonly service: FakeKind;
  readonly model: string;
  /** Files of its home. */
  readonly files: Readonly<Record<string, string>>;
  readonly env: (key: string) => Readonly<Record<string, string>>;
}

export const clis: Readonly<Record<ToolName, Cli>> = {
  'claude-code': {
    service: 'anthropic',
    model: 'claude-sonnet-4-5',
    files: {},
    env: (key) => ({
      ANTHROPIC_BASE_URL: modelOrigin,
      ANTHROPIC_API_KEY: key,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
      DISABLE_ERROR_REPORTING: '1',
      DISABLE_TELEMETRY: '1',
    }),
  },
  codex: {
    service: 'openai-responses',
    model: 'gpt-5.5',
    files: {
      '.codex/config.toml': [
        'model_provider = "fake"',
        'check_for_update_on_startup = false',
        '',
        '[analytics]',
        'enabled = false',
        '',
        '[model_providers.fake]',
        'name = "fake"',
        `base_url = "${modelOrigin}/v1"`,
        'env_key = "OPENAI_API_KEY"',
        'wire_api = "responses"',
        '',
      ].join('\n'),
    },
    env: (key) => ({ OPENAI_API_KEY: key }),
  },
  gemini: {
    service: 'google',
    model: 'gemini-2.5-flash',
    files: {
      '.gemini/settings.json': JSON.stringify({
        general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
        privacy: { usageStatisticsEnabled: false },
        telemetry: { enabled: false },
        security: { auth: { selectedType: 'gemini-api-key' } },
      }),
    },
    env: (key) => ({ GEMINI_API_KEY: key, GOOGLE_GEMINI_BASE_URL: modelOrigin }),
  },
};

/** Makes `home`, and gives the whole environment. */
export function makeHome(name: ToolName, home: string, key: string): Record<string, string> {
  const bin = installed(name);
  if (bin === undefined) throw new Error(`${name} is not installed: node test/cli-agents/install.mjs`);
  const { files, env } = clis[name];
  const scratch = join(home, 'tmp');
  mkdirSync(scratch, { recursive: true });
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), text);
  }
  return {
    PATH: [bin, dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin'].join(':'),
    HOME: home,
    TMPDIR: scratch,
    LANG: 'C.UTF-8',
    TERM: 'xterm-256color',
    ...env(key),
  };
}
