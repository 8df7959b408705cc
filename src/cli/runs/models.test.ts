/** Which model the agents of a plan have when others were chosen. */
import { expect, it } from 'vitest';
import type { WorkflowPlan } from '../../plan/index.ts';
import { chosenModels, withChoice, withModels, withNames } from './models.ts';

const agent = (name: string) => ({ name, type: 'anthropic', fields: { model: 'as written' } });
const plan = (...names: readonly string[]) =>
  ({ agents: Object.fromEntries(names.map((name) => [name, agent(name)])), workflows: {} }) as unknown as WorkflowPlan;
const modelsIn = ({ agents }: WorkflowPlan) => Object.values(agents).map(({ fields }) => fields.model);

it('a model that is chosen for all is that of agents with other names, too', () => {
  const chosen = chosenModels(plan('a', 'b'), ['x']);
  expect(modelsIn(withModels(plan('a', 'c'), chosen))).toEqual(['x', 'x']);
});

it('of several for one agent the last counts, and what is chosen for all stands instead of the others', () => {
  const first = chosenModels(plan('a', 'b'), ['x', 'a=y']);
  expect(modelsIn(withModels(plan('a', 'b'), first))).toEqual(['y', 'x']);
  expect(modelsIn(withModels(plan('a', 'b'), chosenModels(plan('a', 'b'), ['a=y', 'x'])))).toEqual(['x', 'x']);
  const later = withChoice(first, chosenModels(plan('a', 'b'), ['b=z']));
  expect(modelsIn(withModels(plan('a', 'b'), later))).toEqual(['y', 'z']);
  expect(modelsIn(withModels(plan('a', 'b'), withChoice(later, chosenModels(plan('a'), ['w']))))).toEqual(['w', 'w']);
});

it('stays with an agent that is called otherwise, where only one can be meant', () => {
  const models = { a: 'x', '*': 'y' };
  expect(withNames(models, plan('a', 'b'), plan('c', 'b'))).toEqual({ c: 'x', '*': 'y' });
  expect(withNames(models, plan('a', 'b'), plan('c', 'd'))).toEqual(models);
  expect(withNames(models, plan('a', 'b'), plan('b'))).toEqual(models);
  expect(withNames(models, plan('a', 'b'), plan('a', 'c'))).toEqual(models);
});

it('of a thunk is that of all thunks that it leads to', () => {
  const thunks = { default: { name: 'default', models: ['a', 'b'] }, other: { name: 'other', models: ['c'] } };
  const too = (name: string) => ({ name, type: 'too', fields: {}, image: { agent: name, thunks } });
  const both = { agents: { x: too('x'), y: too('y') }, workflows: {} } as unknown as WorkflowPlan;
  const chosen = withModels(both, chosenModels(both, ['x=openai/gpt-5']));
  expect(chosen.agents.x?.image).toMatchObject({
    thunks: { default: { name: 'default', models: ['openai/gpt-5'] }, other: { models: ['openai/gpt-5'] } },
  });
  expect(chosen.agents.y?.image).toEqual({ agent: 'y', thunks });
  expect(withModels(both, chosenModels(both, ['z/m'])).agents.y?.image).toMatchObject({
    thunks: { other: { models: ['z/m'] } },
  });
});
