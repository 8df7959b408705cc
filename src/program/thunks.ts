/** Thunks: their signatures, and what each is made of. */
import type { Thunk } from '../too/index.ts';
import { isOneOf, messageKinds } from '../too/index.ts';
import { messageType, type Type } from '../type/index.ts';
import { type Checker, hasSyntaxError, report } from './checker.ts';
import { checkDirectives, type Known, recallOf } from './directives.ts';
import { declareAll } from './names.ts';
import type { AgentProgram, MessageText, ParamType, ThunkProgram } from './program.ts';
import { resolveType } from './structs.ts';
import { blockText, chooseText } from './texts.ts';

/** A thunk without a name is `default`. */
export function thunkName(node: Thunk): { text: string; span: Thunk['span'] } {
  return node.name ?? { text: 'default', span: { start: node.header.start, end: node.header.start + 'thunk'.length } };
}

export function declareThunks(c: Checker, nodes: readonly Thunk[]): Map<string, Thunk> {
  return declareAll(c, 'thunk', nodes, thunkName);
}

export function checkThunk(
  c: Checker,
  node: Thunk,
  known: Known,
  structs: ReadonlyMap<string, unknown>,
  templates: AgentProgram['templates'],
): ThunkProgram {
  const name = thunkName(node).text;
  const params = checkParams(c, node, structs);
  checkDirectives(c, name, node.directives, known);
  const messages: MessageText[] = [];
  for (const block of node.blocks) {
    if (isOneOf(block.block, messageKinds)) messages.push({ role: block.block, text: blockText(block) });
  }
  const thunk: ThunkProgram = {
    name,
    ...(node.doc !== undefined && { doc: node.doc }),
    params,
    output: node.output ? resolveType(c, node.output, structs) : messageType,
    directives: node.directives,
    recall: recallOf(node.directives),
    context: chooseText(c, node, 'context', templates),
    instruct: chooseText(c, node, 'instruct', templates),
    messages,
    node,
  };
  checkSomethingToSend(c, thunk);
  return thunk;
}

/** No parentheses mean `(input: Message)`. */
function checkParams(c: Checker, node: Thunk, structs: ReadonlyMap<string, unknown>): ParamType[] {
  if (!node.params) return [{ name: 'input', type: messageType, optional: false }];
  const named = declareAll(c, 'parameter', node.params, (param) => param.name);
  node.params.forEach((param, index) => {
    const { text, span } = param.name;
    if (text === 'input' && index > 0 && named.get('input') === param) {
      report(c, 'TOO2301', span, '"input" must be the first parameter.', {
        help: 'It is what the caller says; move it to the front, or give the parameter another name.',
      });
    }
    if (text === 'input' && param.optional) {
      report(c, 'TOO2302', param.optional, '"input" cannot be optional.', {
        help: 'Leave it out of the parentheses if the thunk takes no input.',
        fix: { title: 'remove "?"', edits: [{ span: param.optional, text: '' }] },
      });
    }
    if (text === 'runtime') {
      report(c, 'TOO2303', span, '"runtime" cannot be the name of a parameter.', {
        help: "Templates read the runtime's own values as {{runtime.date}} and the like.",
      });
    }
  });
  const types = new Map<unknown, Type>(node.params.map((param) => [param, resolveType(c, param.type, structs)]));
  return [...named.values()].map((param) => ({
    name: param.name.text,
    type: types.get(param) ?? messageType,
    optional: param.optional !== undefined && param.name.text !== 'input',
  }));
}

function checkSomethingToSend(c: Checker, thunk: ThunkProgram): void {
  const hasInput = thunk.params.some((param) => param.name === 'input');
  const hasUser = thunk.messages.some(({ role, text }) => role === 'user' && text.text.trim() !== '');
  if (hasInput || hasUser || thunk.context.from !== 'none') return;
  // A broken header may be why there is no input.
  const { start, end } = thunk.node.header;
  if (hasSyntaxError(c, start, end)) return;
  report(c, 'TOO2203', thunk.node.header, `thunk "${thunk.name}" has nothing to send to the model.`, {
    help: 'Give it an "input" parameter, a "user:" block or a "context:".',
  });
}
