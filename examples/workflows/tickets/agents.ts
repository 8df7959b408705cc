/** Agents that several workflows share. */
export const triager = {
  type: 'scripted',
  instructions: 'You compare tickets. When in doubt they are different.',
};
