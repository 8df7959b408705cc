/** The commands that services have and other caps have not. */
import type { Command, Flag } from '../command.ts';

const root: Flag = { name: 'root', type: 'text', value: 'DIR', doc: 'The root, for TOOLANG_ROOT or ~/.toolang' };

export const serviceCommands: readonly Command[] = [
  {
    name: 'service login',
    group: 'caps',
    summary: 'Log in to a service, in a browser',
    about:
      'For services over HTTP that ask for it (OAuth). The address is printed, and opened in your browser; BROWSER names another\none. The login is kept in the credentials of the root, for this service and this address alone, and refreshed by itself.',
    positionals: [{ name: 'NAME', doc: 'The name of the service' }],
    flags: [
      { name: 'browser', type: 'switch', both: true, doc: 'Open a browser, or only print the address' },
      { name: 'timeout', type: 'count', value: 'SECONDS', doc: 'Give up after so long; 300 if left out' },
      { name: 'client-id', type: 'text', value: 'ID', doc: 'A client that was registered there by hand' },
      { name: 'port', type: 'count', value: 'PORT', doc: 'Where the browser comes back to; a free port if left out' },
      { name: 'scope', type: 'text', value: 'SCOPE', doc: 'here, home or root (also: agent, shared, global)' },
      { name: 'agent', type: 'text', value: 'AGENT', doc: 'The agent: its name, or its .too file' },
      root,
      { name: 'home', type: 'text', value: 'DIR', doc: 'The home, for the one found from the current directory' },
    ],
    examples: [
      { run: 'toolang service login github', doc: 'open the browser and wait' },
      { run: 'toolang service login github --no-browser', doc: 'print the address only' },
    ],
    load: () => import('./login.ts'),
  },
  {
    name: 'service logout',
    group: 'caps',
    summary: 'Forget the login to a service',
    positionals: [{ name: 'NAME', doc: 'The name of the service' }],
    flags: [root],
    examples: [{ run: 'toolang service logout github', doc: 'remove its token from this machine' }],
    load: () => import('./logout.ts'),
  },
];
