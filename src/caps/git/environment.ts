/**
 * What git may know of the user's environment when it fetches: where configuration, credentials and proxies are, and
 * nothing that would point it at another repository. It asks nobody for anything.
 */

const kept =
  /^GIT_(?:CONFIG_(?:GLOBAL|SYSTEM|NOSYSTEM|COUNT|(?:KEY|VALUE)_\d+)|EXEC_PATH|SSH|SSH_COMMAND|SSH_VARIANT|SSL_\w+|PROXY_\w+|HTTP_PROXY_AUTHMETHOD)$/i;

/** What repositories may be fetched over. */
const protocols = ['https', 'ssh', 'file'];

type Environment = Readonly<Record<string, string | undefined>>;

/** `sshCommand`: the user's own of the configuration, which a variable of the environment would hide. */
export function gitEnvironment(env: Environment, sshCommand = ''): NodeJS.ProcessEnv {
  const out: NodeJS.ProcessEnv = {};
  for (const [name, value] of Object.entries(env)) {
    if (/^(?:LC_|LANG$|LANGUAGE$|SSH_ASKPASS)/i.test(name)) continue;
    if (!/^GIT_/i.test(name) || kept.test(name)) out[name] = value;
  }
  const hasSsh = Boolean(env.GIT_SSH_COMMAND || env.GIT_SSH || sshCommand);
  return Object.assign(out, {
    LC_ALL: 'C',
    GIT_TERMINAL_PROMPT: '0',
    // Empty, so that neither the configuration nor SSH_ASKPASS is looked at.
    GIT_ASKPASS: '',
    SSH_ASKPASS_REQUIRE: 'never',
    GCM_INTERACTIVE: 'never',
    GIT_ALLOW_PROTOCOL: allowedProtocols(env.GIT_ALLOW_PROTOCOL),
    GIT_LFS_SKIP_SMUDGE: '1',
    GIT_NO_LAZY_FETCH: '1',
    GIT_OPTIONAL_LOCKS: '0',
    ...(!hasSsh && { GIT_SSH_COMMAND: 'ssh -oBatchMode=yes' }),
  });
}

/** Those of ours that the user allows too. Never empty: that would allow all of them. */
function allowedProtocols(own: string | undefined): string {
  if (own === undefined) return protocols.join(':');
  const allowed = protocols.filter((protocol) => own.split(':').includes(protocol));
  return allowed.length === 0 ? 'none' : allowed.join(':');
}

/** Given to every command: no hooks, no submodules, no housekeeping, no follow-up of what a repository says of itself. */
export const gitSettings: readonly string[] = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'core.quotePath=false',
  'gc.auto=0',
  'maintenance.auto=false',
  'submodule.recurse=false',
  'fetch.recurseSubmodules=false',
  'fetch.writeCommitGraph=false',
  'fetch.unpackLimit=1',
  'transfer.unpackLimit=1',
  'transfer.bundleURI=false',
  'protocol.version=2',
].flatMap((setting) => ['-c', setting]);
