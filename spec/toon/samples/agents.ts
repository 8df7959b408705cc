export const writer = {
  type: 'anthropic',
  model: 'claude-sonnet-4-5',
  instructions: 'You write short texts.',
};
