/**
 * The services of a run: MCP servers, connected when they are first needed and closed after it.
 * 1. One connection to each, whoever asks first and however many ask at once.
 * 2. A service that cannot be used takes no other down: it says why. Whether a run goes on without it is for the caller to
 *    decide.
 * 3. One that died is connected again when it is next needed, a few times; what cannot become better is not tried again.
 * 4. After `close` no process of them is left, and nothing can be called.
 * 5. Nothing that goes out of here holds a value of their variables, headers or logins.
 */
import { type Clock, createRedactor, killGroup, processMark, type Redactor, realClock } from '../../sys/index.ts';
import { boundedText } from '../bounded-text.ts';
import type { Env } from '../child-env.ts';
import type { Tool, ToolArgs, ToolContext, ToolResult } from '../tool.ts';
import { callResult } from './call-result.ts';
import { type Connection, connect } from './connection.ts';
import { type ServiceDefinition, type ServiceLimits, serviceLimits } from './definition.ts';
import { loginOf } from './oauth/login-token.ts';
import type { TokenSource } from './oauth/token-source.ts';
import { orAborted } from './or-aborted.ts';
import { troubleOf } from './reason.ts';
import { secretsOf } from './secrets.ts';
import type { ListedTool } from './tool-list.ts';
import { type ServiceTrouble, trouble } from './trouble.ts';

export interface ServiceOptions {
  /** Where commands run: the folder that the tools of the run work in. */
  readonly workspace: string;
  readonly env: Env;
  /** The folder of logins (`credentials` in the root); without it nobody is logged in. */
  readonly credentials?: string | undefined;
  /** Of this program: servers are told who calls them. */
  readonly version?: string | undefined;
  readonly clock?: Clock;
  readonly limits?: Partial<ServiceLimits>;
  /** A process group was started, and is gone: servers outlive the call that needed them first. */
  readonly spawned?: (pid: number) => void;
  readonly ended?: (pid: number) => void;
}

export interface Services {
  readonly names: readonly string[];
  /** The tools of one, as it lists them now. Connects; rejects only with the reason of the signal. */
  tools(name: string, signal: AbortSignal): Promise<ServiceTools>;
  /** How it is now, without asking it. */
  status(name: string): ServiceStatus;
  /** Ends all of them, and waits until they are gone. */
  close(): Promise<void>;
}

export type ServiceTools =
  | { readonly ok: true; readonly tools: readonly Tool[]; readonly notes: readonly string[] }
  | { readonly ok: false; readonly reason: string };

export type ServiceStatus =
  | { readonly state: 'idle' | 'connecting' }
  | { readonly state: 'ready'; readonly server?: string }
  | { readonly state: 'unavailable'; readonly reason: string };

interface Slot {
  readonly definition: ServiceDefinition;
  readonly tokens: TokenSource | undefined;
  connection?: Connection | undefined;
  connecting?: Promise<Connection> | undefined;
  trouble?: ServiceTrouble | undefined;
  attempts: number;
}

export function openServices(definitions: readonly ServiceDefinition[], options: ServiceOptions): Services {
  const limits: ServiceLimits = { ...serviceLimits, ...options.limits };
  const clock = options.clock ?? realClock;
  const stop = new AbortController();
  const slots = new Map<string, Slot>();
  for (const definition of definitions) {
    if (slots.has(definition.name)) throw new Error(`there are two services "${definition.name}"`);
    slots.set(definition.name, { definition, tokens: loginOf(definition, { ...options, clock, limits }), attempts: 0 });
  }
  let closing: Promise<void> | undefined;
  /** With their marks. */
  const living = new Map<number, string | undefined>();
  // Whoever leaves without closing leaves nothing behind either.
  const killAll = () => {
    for (const [pid, mark] of living) killGroup(pid, mark);
  };
  process.once('exit', killAll);

  const slotOf = (name: string): Slot => {
    const slot = slots.get(name);
    if (!slot) throw new Error(`there is no service "${name}" here`);
    return slot;
  };

  const connectNow = async (slot: Slot): Promise<Connection> => {
    try {
      const connection = await connect(slot.definition, {
        limits,
        clock,
        env: options.env,
        cwd: options.workspace,
        version: options.version,
        signal: stop.signal,
        tokens: slot.tokens,
        spawned: (pid) => {
          living.set(pid, processMark(pid));
          options.spawned?.(pid);
        },
        ended: (pid) => {
          living.delete(pid);
          options.ended?.(pid);
        },
      });
      slot.trouble = undefined;
      slot.connection = connection;
      // A server that is an address costs nothing to be asked again, and may come and go.
      if (slot.definition.transport === 'http') slot.attempts = 0;
      return connection;
    } catch (error) {
      slot.trouble = told(troubleOf(error, slot.definition, 'unavailable'), redactorOf(slot));
      throw slot.trouble;
    } finally {
      slot.connecting = undefined;
    }
  };

  const need = (slot: Slot): Promise<Connection> => {
    if (closing) return Promise.reject(trouble('unavailable', 'the run has ended', { final: true }));
    if (slot.connecting) return slot.connecting;
    if (slot.connection && !slot.connection.isClosed) return Promise.resolve(slot.connection);
    if (slot.trouble?.isFinal) return Promise.reject(slot.trouble);
    if (slot.attempts > limits.restarts) {
      const why = slot.trouble?.message ?? 'it ended each time';
      slot.trouble = trouble('unavailable', `${why}; it was tried ${slot.attempts} times`, { final: true });
      return Promise.reject(slot.trouble);
    }
    slot.attempts++;
    slot.connection = undefined;
    slot.connecting = connectNow(slot);
    return slot.connecting;
  };

  const redactorOf = (slot: Slot): Redactor =>
    createRedactor([...secretsOf(slot.definition, options.env), ...(slot.tokens?.secrets() ?? [])]);

  const call = async (slot: Slot, name: string, args: ToolArgs, context: ToolContext): Promise<ToolResult> => {
    const { signal } = context;
    signal.throwIfAborted();
    for (let isAgain = false; ; isAgain = true) {
      let connection: Connection | undefined;
      try {
        connection = await orAborted(need(slot), signal);
        return callResult(await connection.call(name, args, signal), redactorOf(slot).text);
      } catch (error) {
        if (signal.aborted) throw signal.reason;
        const { kind, message } = told(troubleOf(error, slot.definition, 'failed'), redactorOf(slot));
        // It was gone before it heard of the call.
        if (kind === 'unavailable' && connection?.isClosed && !isAgain) continue;
        const subject = `the service "${slot.definition.name}"`;
        const text = kind === 'unavailable' ? `${subject} cannot be used: ${message}` : `${subject}: ${message}`;
        return { ok: false, error: { code: kind, message: boundedText(text, 4096) } };
      }
    }
  };

  const toolOf = (slot: Slot, listed: ListedTool, redactor: Redactor): Tool => ({
    name: `${slot.definition.name}/${listed.name}`,
    description: redactor.text(listed.description),
    parameters: redactor.data(listed.parameters) as Tool['parameters'],
    readOnly: listed.readOnly,
    subjects: () => [],
    run: (args, context) => call(slot, listed.name, args, context),
  });

  return {
    names: [...slots.keys()],
    async tools(name, signal) {
      const slot = slotOf(name);
      signal.throwIfAborted();
      try {
        const connection = await orAborted(need(slot), signal);
        const { tools, notes } = await connection.tools(signal);
        const redactor = redactorOf(slot);
        return { ok: true, tools: tools.map((tool) => toolOf(slot, tool, redactor)), notes: notes.map(redactor.text) };
      } catch (error) {
        if (signal.aborted) throw signal.reason;
        return { ok: false, reason: told(troubleOf(error, slot.definition, 'unavailable'), redactorOf(slot)).message };
      }
    },
    status(name) {
      const { connecting, connection, trouble: known } = slotOf(name);
      if (connecting) return { state: 'connecting' };
      if (connection && !connection.isClosed) {
        return { state: 'ready', ...(connection.server !== undefined && { server: connection.server }) };
      }
      if (known) return { state: 'unavailable', reason: known.message };
      return connection ? { state: 'unavailable', reason: 'it has ended' } : { state: 'idle' };
    },
    close() {
      closing ??= (async () => {
        stop.abort(trouble('unavailable', 'the run has ended', { final: true }));
        try {
          await Promise.all([...slots.values()].map(closeSlot));
        } finally {
          if (living.size === 0) process.off('exit', killAll);
        }
      })();
      return closing;
    },
  };
}

async function closeSlot(slot: Slot): Promise<void> {
  // One that is being connected ends by itself: its signal is aborted.
  await slot.connecting?.catch(() => undefined);
  await slot.connection?.close();
}

function told(found: ServiceTrouble, redactor: Redactor): ServiceTrouble {
  const message = redactor.text(found.message);
  return message === found.message ? found : trouble(found.kind, message, { final: found.isFinal });
}
