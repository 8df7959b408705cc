/** `toolang tools`: the tools that agents can use here, and what a model is told of one. */
import { type AuthoredCap, gatherScope } from '../../caps/index.ts';
import { mergeConfig, readConfig, type Settings } from '../../config/index.ts';
import { displayPath } from '../../sys/index.ts';
import {
  closest,
  type Diagnostic,
  didYouMean,
  displayWidth,
  hasErrors,
  type Painter,
  painter,
  printable,
  toJson,
  wrap,
} from '../../text/index.ts';
import { describedTools, namesTool, type OwnTool, parseRule, signatureOf, type Tool } from '../../tool/index.ts';
import { printType } from '../../type/index.ts';
import { placesHere } from '../caps/places.ts';
import { type Args, UsageError } from '../command.ts';
import type { Context } from '../context.ts';
import { type ExitCode, exit } from '../exit.ts';
import { jsonText } from '../json.ts';
import { printDiagnostics } from '../report.ts';
import { shownPath } from '../shown-path.ts';

interface ServiceRow {
  readonly name: string;
  readonly scope: 'home' | 'root';
  /** Unknown of one that is only referred to. */
  readonly transport?: 'http' | 'stdio';
  readonly description?: string;
  /** Where it is written. */
  readonly file: string;
  /** What it answered, where it was called: its tools, or why there are none. */
  readonly tools?: readonly Tool[];
  readonly problem?: string;
}

interface ToolsHere {
  readonly settings: Settings;
  readonly services: readonly ServiceRow[];
  readonly diagnostics: readonly Diagnostic[];
}

export async function run(args: Args, context: Context): Promise<ExitCode> {
  const here = await lookAround(args, context);
  const all = describedTools();
  const [wanted] = args.positionals;
  const tools = wanted === undefined ? all : all.filter(({ name }) => name === wanted || setOf(name) === wanted);
  const named = wanted === undefined ? here.services : here.services.filter(({ name }) => name === setOf(wanted));
  if (tools.length + named.length === 0) throw unknownTool(wanted ?? '', all, here.services);
  const services = args.switches.connect ? await connected(named, args, context) : named;
  const one =
    wanted === undefined ? undefined : services.flatMap((each) => each.tools ?? []).find(({ name }) => name === wanted);
  if (args.switches.connect && wanted?.includes('/') && tools.length === 0) refuseMissing(wanted, one, services);
  const isBroken = services.some(({ problem }) => problem !== undefined);
  const code = hasErrors(here.diagnostics) ? exit.usage : isBroken ? exit.failed : exit.done;
  if (args.switches.json) {
    context.stdout.write(
      jsonText({
        version: 1,
        tools: tools.map((tool) => toolJson(tool, here.settings)),
        services: services.map((each) => serviceJson(one ? { ...each, tools: [one] } : each, here.settings)),
        default: here.settings.tools.default,
        permissions: here.settings.permissions,
        diagnostics: here.diagnostics.map(toJson),
      }),
    );
    return code;
  }
  printDiagnostics(here.diagnostics, context.stderr);
  const paint = painter(context.stdout.color);
  const columns = context.stdout.isTTY ? context.stdout.columns : 120;
  const [only] = tools;
  if (only && only.name === wanted) context.stdout.write(toolText(only, here.settings, paint, columns));
  else if (one) context.stdout.write(serviceToolText(one, here.settings, paint, columns));
  else
    context.stdout.write(
      listText(tools, services, here.settings, { paint, columns, context, isAll: wanted === undefined }),
    );
  return code;
}

/** The same, with what they answer. */
async function connected(rows: readonly ServiceRow[], args: Args, context: Context): Promise<readonly ServiceRow[]> {
  if (rows.length === 0) return rows;
  const [{ servicesHere }, { connectServices }, { stoppable }] = await Promise.all([
    import('../services/here.ts'),
    import('../services/connect.ts'),
    import('../stoppable.ts'),
  ]);
  const { services, places } = await servicesHere(args, context);
  const wanted = services.filter(({ cap }) => rows.some(({ name }) => name === cap.name));
  const definitions = wanted.flatMap(({ definition }) => definition ?? []);
  const { credentials } = places.root;
  const answers = await stoppable(context, (signal) =>
    connectServices(definitions, { workspace: context.cwd, credentials, signal }, context),
  );
  return rows.map((row) => {
    const { isSynced, wrong } = wanted.find(({ cap }) => cap.name === row.name) ?? {};
    const answer = answers.get(row.name);
    if (answer?.ok) return { ...row, tools: answer.tools };
    const problem =
      answer?.reason ?? (isSynced ? (wrong ?? 'its file is wrong') : 'it was not synced yet: toolang sync');
    return { ...row, problem };
  });
}

function refuseMissing(wanted: string, one: Tool | undefined, services: readonly ServiceRow[]): void {
  if (one !== undefined || services.some(({ problem }) => problem !== undefined)) return;
  const names = services.flatMap(({ tools = [] }) => tools.map(({ name }) => name));
  const near = didYouMean(closest(wanted, names));
  throw new UsageError(
    `there is no tool "${printable(wanted)}".${near}`,
    `toolang tools ${setOf(wanted)} --connect lists those that there are.`,
  );
}

async function lookAround(args: Args, context: Context): Promise<ToolsHere> {
  const { root, home } = placesHere(args, context);
  const shown = (file: string) => displayPath(file, context.cwd);
  const ofRoot = await readConfig(root.config, shown(root.config));
  const ofHome = home && (await readConfig(home.config, shown(home.config)));
  const { settings } = mergeConfig({ root: ofRoot.layer, ...(ofHome && { home: ofHome.layer }) });
  const scopes = [
    ...(home && home.kind !== 'visiting' ? [await gatherScope(home, shown)] : []),
    await gatherScope(root, shown),
  ];
  const services = new Map<string, ServiceRow>();
  for (const cap of scopes.flatMap(({ caps }) => caps)) {
    // The home's own goes before that of the root.
    if (cap.kind === 'service' && !services.has(cap.name)) services.set(cap.name, serviceRow(cap));
  }
  // What is wrong with other caps is told by "toolang check".
  return {
    settings,
    services: [...services.values()],
    diagnostics: [...ofRoot.diagnostics, ...(ofHome?.diagnostics ?? [])],
  };
}

function serviceRow(cap: AuthoredCap): ServiceRow {
  const scope = cap.scope === 'root' ? 'root' : 'home';
  const row = { name: cap.name, scope, file: cap.file } as const;
  if (!('cap' in cap) || cap.cap.kind !== 'service') return row;
  const { transport, description } = cap.cap;
  return { ...row, transport, ...(description !== undefined && { description }) };
}

function setOf(name: string): string {
  return name.split('/', 1)[0] ?? name;
}

function unknownTool(wanted: string, tools: readonly OwnTool[], services: readonly ServiceRow[]): UsageError {
  const names = [...new Set(tools.flatMap(({ name }) => [setOf(name), name]))];
  // `read` is nearer to `filesystem/read` than spelling says.
  const near =
    names.find((name) => name.endsWith(`/${wanted}`)) ??
    closest(wanted, [...names, ...services.map(({ name }) => name)]);
  const known = [...new Set(tools.map(({ name }) => setOf(name))), ...services.map(({ name }) => name)];
  return new UsageError(`there is no tool "${printable(wanted)}".${didYouMean(near)}`, `Known: ${known.join(', ')}.`);
}

/** The rules that speak of a tool. */
function rulesOf(name: string, { permissions }: Settings): Record<'deny' | 'allow' | 'ask', string[]> {
  const about = (rules: readonly string[]) => rules.filter((rule) => namesTool(parseRule(rule), name));
  return { deny: about(permissions.deny), allow: about(permissions.allow), ask: about(permissions.ask) };
}

/** How a thunk comes to have it. */
function availability(name: string, settings: Settings): 'default' | 'named' | 'skills' {
  if (setOf(name) === 'skill') return 'skills';
  const defaults = settings.tools.default;
  return defaults.includes(name) || defaults.includes(setOf(name)) ? 'default' : 'named';
}

function toolJson(tool: OwnTool, settings: Settings): Record<string, unknown> {
  const { name, description, readOnly, parameters } = tool;
  return {
    name,
    description,
    readOnly,
    available: availability(name, settings),
    permissions: rulesOf(name, settings),
    parameters,
  };
}

function serviceJson({ tools, ...row }: ServiceRow, settings: Settings): Record<string, unknown> {
  if (tools === undefined) return row;
  const told = tools.map(({ name, description, readOnly, parameters }) => {
    return { name, description, readOnly, permissions: rulesOf(name, settings), parameters };
  });
  return { ...row, tools: told };
}

interface ListOptions {
  readonly paint: Painter;
  readonly columns: number;
  readonly context: Context;
  readonly isAll: boolean;
}

function listText(
  tools: readonly OwnTool[],
  services: readonly ServiceRow[],
  settings: Settings,
  options: ListOptions,
): string {
  const { paint, columns, context, isAll } = options;
  const lines: string[] = [];
  const widest = Math.max(
    ...tools.map(({ name }) => displayWidth(name)),
    ...services.flatMap(({ name, tools: own = [] }) => [name, ...own.map((tool) => tool.name)].map(widthOf)),
  );
  const row = (name: string, words: string) =>
    `  ${name.padEnd(name.length + Math.max(0, widest - displayWidth(name)))}  ${firstLine(words, columns - widest - 4)}`;
  for (const set of new Set(tools.map(({ name }) => setOf(name)))) {
    const own = tools.filter(({ name }) => setOf(name) === set);
    const words = new Set(own.map(({ name }) => availabilityWords[availability(name, settings)]));
    lines.push(`${paint.bold(set)}  ${paint.dim([...words].join('; '))}`);
    for (const { name, description } of own) lines.push(row(name, sentence(description)));
    lines.push('');
  }
  if (services.length > 0) {
    const isAsked = services.some(({ tools: own, problem }) => own ?? problem);
    lines.push(
      `${paint.bold('services')}${isAsked ? '' : `  ${paint.dim('their tools are known when they are connected: --connect')}`}`,
    );
    for (const { name, transport, description, file, tools: own = [], problem } of services) {
      const how = transport ?? 'a reference';
      lines.push(
        row(
          printable(name),
          printable([`${how}, ${shownPath(file, context)}`, description].filter(Boolean).join(': ')),
        ),
      );
      if (problem !== undefined) lines.push(`    ${paint.red('✗')} ${printable(problem)}`);
      for (const tool of own) lines.push(row(printable(tool.name), printable(sentence(tool.description))));
    }
    lines.push('');
  }
  if (isAll) lines.push(...permissionLines(settings.permissions, paint), '');
  return `${lines.join('\n').trimEnd()}\n`;
}

const availabilityWords = {
  default: 'of every thunk that names no tools',
  named: 'of thunks that name it',
  skills: 'of thunks that have skills',
} as const;

function toolText(tool: OwnTool, settings: Settings, paint: Painter, columns: number): string {
  const { name, description, type, parameters, readOnly } = tool;
  const heads = type.fields.map((field) => `${field.name}${field.optional ? '?' : ''}: ${printType(field.type)}`);
  const widest = Math.max(...heads.map(displayWidth));
  const words = [availabilityWords[availability(name, settings)], readOnly ? 'changes nothing' : 'changes things'];
  return `${[
    paint.bold(signatureOf(name, type)),
    paint.dim(words.join('; ')),
    '',
    ...wrap(description, columns),
    '',
    ...type.fields.flatMap((field, i) => {
      const head = (heads[i] ?? '').padEnd(widest);
      const [first = '', ...more] = wrap(field.doc ?? '', Math.max(20, columns - widest - 4));
      return [`  ${head}  ${first}`, ...more.map((line) => `${' '.repeat(widest + 4)}${line}`)];
    }),
    '',
    ...permissionLines(rulesOf(name, settings), paint),
    '',
    paint.bold('schema'),
    JSON.stringify(parameters, null, 2),
  ].join('\n')}\n`;
}

/** As a service tells it: its words are not ours. */
function serviceToolText(
  { name, description, readOnly, parameters }: Tool,
  settings: Settings,
  paint: Painter,
  columns: number,
): string {
  return `${[
    paint.bold(printable(name)),
    paint.dim(`of thunks that name it; ${readOnly ? 'changes nothing, it says' : 'changes things'}`),
    '',
    ...description.split('\n').flatMap((line) => wrap(printable(line), columns)),
    '',
    ...permissionLines(rulesOf(name, settings), paint),
    '',
    paint.bold('schema'),
    ...JSON.stringify(parameters, null, 2).split('\n').map(printable),
  ].join('\n')}\n`;
}

/** Names of services' tools may be long. */
function widthOf(name: string): number {
  return Math.min(displayWidth(printable(name)), mostWidth);
}

const mostWidth = 40;

function permissionLines(
  rules: Readonly<Record<'deny' | 'allow' | 'ask', readonly string[]>>,
  paint: Painter,
): string[] {
  const lines = (['deny', 'allow', 'ask'] as const)
    .filter((key) => rules[key].length > 0)
    .map((key) => `  ${key.padEnd(5)}  ${rules[key].map(printable).join(', ')}`);
  const none = paint.dim('no rules: what a thunk names it may use');
  return lines.length === 0 ? [`${paint.bold('permissions')}  ${none}`] : [paint.bold('permissions'), ...lines];
}

function sentence(text: string): string {
  return /^.*?\.(?= |$)/s.exec(text)?.[0] ?? text;
}

function firstLine(text: string, cells: number): string {
  const [first = '', ...more] = wrap(text, Math.max(20, cells - 1));
  return more.length === 0 ? first : `${first}…`;
}
