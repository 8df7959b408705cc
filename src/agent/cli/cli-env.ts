/**
 * What a program of an agent sees of our environment: what every child sees, what networks and homes need, and the variables of
 * its own. No keys of others.
 */
import { childEnv } from '../../tool/index.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** Where it keeps its login, and how it gets out. */
const shared = [
  ...['XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'XDG_STATE_HOME', 'XDG_CACHE_HOME', 'XDG_RUNTIME_DIR'],
  ...['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy', 'no_proxy', 'all_proxy'],
  ...['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'SSL_CERT_DIR', 'REQUESTS_CA_BUNDLE', 'CURL_CA_BUNDLE'],
  // Logins in the keyring of a desktop.
  'DBUS_SESSION_BUS_ADDRESS',
];

/** There is no terminal. */
const quiet = { TERM: 'dumb', NO_COLOR: '1' };

export interface CliEnvWish {
  /** Of the program; `NAME_*` are all that begin so. */
  readonly names: readonly string[];
  readonly without?: readonly string[] | undefined;
  /** That users let all code see (`[runs] env`). */
  readonly shown?: readonly string[] | undefined;
  /** The same when it is begun again after a crash. */
  readonly idempotencyKey: string;
}

export function cliEnv(
  env: Env,
  { names, without = [], shown = [], idempotencyKey }: CliEnvWish,
): Record<string, string> {
  const beginnings = names.filter((name) => name.endsWith('*')).map((name) => name.slice(0, -1));
  const begun = Object.keys(env).filter((name) => beginnings.some((each) => name.startsWith(each)));
  const child = childEnv(env, [...shared, ...names, ...begun, ...shown]);
  for (const name of without) delete child[name];
  return { ...child, ...quiet, TOOLANG_IDEMPOTENCY_KEY: idempotencyKey };
}
