/**
 * One connection to one server, from the handshake to its end. Both eras of the protocol are spoken: the newer one is asked
 * for first.
 * 1. Whoever gets one can call it; whoever does not gets a trouble, and nothing is left running.
 * 2. Nothing is offered to servers: no sampling, no questions to people, no roots. They are told so by the protocol.
 * 3. The list of tools is read again after the server says that it has changed.
 */
import type { CallToolResult, Client, Transport } from '@modelcontextprotocol/client';
import type { Clock } from '../../sys/index.ts';
import type { Env } from '../child-env.ts';
import { childTransport } from './child-transport.ts';
import type { ServiceDefinition, ServiceLimits } from './definition.ts';
import { endSession, httpTransport } from './http-transport.ts';
import type { TokenSource } from './oauth/token-source.ts';
import { orAborted } from './or-aborted.ts';
import { httpStatus, tooLargeTrouble, troubleOf } from './reason.ts';
import { requireVariables } from './secrets.ts';
import type { StdioTransport } from './stdio-transport.ts';
import { gatherTools, type ToolList } from './tool-list.ts';
import { isTrouble, type ServiceTrouble, trouble } from './trouble.ts';

export interface ConnectOptions {
  readonly limits: ServiceLimits;
  readonly clock: Clock;
  readonly env: Env;
  /** Where commands run. */
  readonly cwd: string;
  readonly version?: string | undefined;
  /** Ends the attempt. */
  readonly signal: AbortSignal;
  /** The login of an HTTP service. */
  readonly tokens?: TokenSource | undefined;
  readonly spawned?: ((pid: number) => void) | undefined;
  readonly ended?: ((pid: number) => void) | undefined;
}

export interface Connection {
  /** Throws a trouble. */
  tools(signal: AbortSignal): Promise<ToolList>;
  /** Throws a trouble, or the reason of the signal. */
  call(tool: string, args: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<CallToolResult>;
  readonly isClosed: boolean;
  /** What the server calls itself. */
  readonly server: string | undefined;
  close(): Promise<void>;
}

const mostPages = 64;
const mostLists = 3;

export async function connect(definition: ServiceDefinition, options: ConnectOptions): Promise<Connection> {
  requireVariables(definition, options.env);
  if (definition.transport === 'http') {
    return open(definition, await httpTransport(definition, options), options, undefined);
  }
  const first = childTransport(definition, options);
  try {
    return await open(definition, first, options, undefined);
  } catch (error) {
    // Some older servers end when they are asked what they do not know: they are started again, and asked in the old way.
    const isRefusal = first.end !== undefined && !options.signal.aborted && !first.wasAnswered;
    if (!isRefusal) throw error;
    return open(definition, childTransport(definition, options), options, { kind: 'legacy' });
  }
}

type Opened = Transport & Partial<Pick<StdioTransport, 'end' | 'lastWords'>>;

async function open(
  definition: ServiceDefinition,
  transport: Opened,
  options: ConnectOptions,
  prior: { readonly kind: 'legacy' } | undefined,
): Promise<Connection> {
  const { limits, signal } = options;
  const { Client } = await import('@modelcontextprotocol/client');
  let isClosed = false;
  let list: Promise<ToolList> | undefined;
  const client: Client = new Client(
    { name: 'toolang', version: options.version ?? 'unknown' },
    {
      capabilities: {},
      versionNegotiation: { mode: 'auto', probe: { timeoutMs: probeMs(definition, limits) } },
      inputRequired: { autoFulfill: false },
      listChanged: {
        tools: {
          autoRefresh: false,
          debounceMs: 0,
          onChanged: () => {
            list = undefined;
          },
        },
      },
    },
  );
  client.onclose = () => {
    isClosed = true;
  };
  // What is told out of band belongs to no call: the calls that it concerns fail by themselves.
  client.onerror = () => undefined;
  const fail = (error: unknown, otherwise: 'unavailable' | 'failed') =>
    endTrouble(error, transport, definition, otherwise);
  const close = async () => {
    await endSession(transport, limits.closeMs);
    await client.close();
    // The client forgets a transport that failed in the handshake.
    await transport.close();
  };
  // Not every part of the handshake can be left: without its transport it ends.
  const late = AbortSignal.any([signal, AbortSignal.timeout(limits.connectMs)]);
  const leave = () => void transport.close().catch(() => undefined);
  late.addEventListener('abort', leave, { once: true });
  try {
    await client.connect(transport, { timeout: limits.connectMs, signal: late, ...(prior && { prior }) });
    late.throwIfAborted();
  } catch (error) {
    const found = late.aborted ? trouble('timeout', 'late', { cause: error }) : fail(error, 'unavailable');
    await transport.close();
    if (signal.aborted) throw signal.reason;
    throw found.kind === 'timeout'
      ? trouble('unavailable', withWords(`it gave no answer within ${secondsText(limits.connectMs)}`, transport), {
          cause: error,
        })
      : found;
  } finally {
    late.removeEventListener('abort', leave);
  }

  const connection: Connection = {
    get isClosed() {
      return isClosed;
    },
    server: client.getServerVersion()?.name,
    async tools(caller) {
      for (let times = 1; ; times++) {
        const asked: Promise<ToolList> = list ?? listTools(client, limits);
        list = asked;
        try {
          const read = await orAborted(asked, caller);
          // A change that was told while it was read makes it old; but some servers tell one each time.
          if (list === asked || times >= mostLists) return read;
        } catch (error) {
          if (list === asked) list = undefined;
          if (caller.aborted) throw caller.reason;
          throw tooLargeTrouble(error, limits.messageBytes) ?? fail(error, 'unavailable');
        }
      }
    },
    async call(tool, args, caller) {
      const listed = (await connection.tools(caller)).tools.find(({ name }) => name === tool);
      if (!listed) throw trouble('missing', `it has no tool "${tool}" any more`);
      const stop = new AbortController();
      try {
        return await client.callTool(
          { name: tool, arguments: { ...args } },
          {
            signal: caller,
            requestSignal: stop.signal,
            timeout: limits.callMs,
            resetTimeoutOnProgress: true,
            // A server tells progress only where somebody listens.
            onprogress: () => undefined,
            maxTotalTimeout: limits.longestCallMs,
            toolDefinition: { name: tool, inputSchema: { ...listed.parameters, type: 'object' } as ServerSchema },
          },
        );
      } catch (error) {
        if (caller.aborted) throw caller.reason;
        // An older server that was started again does not know us any more: nothing was done.
        if (transport.sessionId !== undefined && httpStatus(error) === 404) {
          isClosed = true;
          await client.close();
          throw trouble('unavailable', 'its session has ended', { cause: error });
        }
        throw tooLargeTrouble(error, limits.messageBytes) ?? callTrouble(error, fail, limits);
      } finally {
        // Of an older server the request would stay open.
        stop.abort();
      }
    },
    close,
  };
  return connection;
}

type ServerSchema = Parameters<Client['callTool']>[1] extends { toolDefinition?: infer T } | undefined
  ? T extends { inputSchema: infer S }
    ? S
    : never
  : never;

/** A child may be silent about what it does not know; a server that is an address answers, or is not there. */
function probeMs(definition: ServiceDefinition, limits: ServiceLimits): number {
  return definition.transport === 'stdio' ? Math.min(limits.probeMs, limits.connectMs) : limits.connectMs;
}

async function listTools(client: Client, limits: ServiceLimits): Promise<ToolList> {
  if (!client.getServerCapabilities()?.tools) return { tools: [], notes: ['it offers no tools'] };
  const gathered = gatherTools(limits);
  const cursors = new Set<string>();
  let cursor: string | undefined;
  for (let page = 0; page < mostPages; page++) {
    const params = cursor === undefined ? {} : { cursor };
    const read = await client.request({ method: 'tools/list', params }, { timeout: limits.callMs });
    gathered.add(read.tools);
    cursor = read.nextCursor;
    if (cursor === undefined || gathered.isFull) return gathered.list();
    if (cursors.has(cursor)) break;
    cursors.add(cursor);
  }
  const { tools, notes } = gathered.list();
  return { tools, notes: [...notes, 'its list of tools has no end: what came of it is used'] };
}

function callTrouble(
  error: unknown,
  fail: (error: unknown, otherwise: 'failed') => Error,
  limits: ServiceLimits,
): Error {
  const found = fail(error, 'failed');
  if (isTrouble(found) && found.kind === 'timeout') {
    return trouble('timeout', `it gave no answer within ${secondsText(limits.callMs)}`, { cause: error });
  }
  if (error instanceof Error && 'code' in error && error.code === 'UNSUPPORTED_RESULT_TYPE') {
    return trouble('failed', 'it asks for input in the middle of a call, which is not supported here', {
      cause: error,
    });
  }
  return found;
}

/** Where the server has ended, that is why, with what it said last. */
function endTrouble(
  error: unknown,
  transport: Opened,
  definition: ServiceDefinition,
  otherwise: 'unavailable' | 'failed',
): ServiceTrouble {
  if (transport.end === undefined) return troubleOf(error, definition, otherwise);
  const when = otherwise === 'failed' ? ' in the middle of the call' : '';
  return trouble(otherwise, withWords(`${transport.end}${when}`, transport), { cause: error });
}

function withWords(message: string, transport: Opened): string {
  const words = transport.lastWords?.() ?? '';
  return words === '' ? message : `${message}; it wrote:\n${words.slice(-2000)}`;
}

function secondsText(ms: number): string {
  return ms % 1000 === 0 ? `${ms / 1000} s` : `${ms} ms`;
}
