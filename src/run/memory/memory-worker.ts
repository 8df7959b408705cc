/**
 * A process of the tests: saves numbered memories and turns until it is killed or has done enough, and says which are sure.
 * Without a name it only tries to read and to write, and says what came of it.
 */
import { openMemory } from './memory.ts';

const [file = '', name = '', count = ''] = process.argv.slice(-3);
const memory = openMemory(file);
if (name === '') {
  const tried = [
    () => memory.search('ana', 'tea', 1).length,
    () => memory.save({ agent: 'ana', text: 'x', at: 1, run: 'r', thunk: 'chat', key: 'x' }).isNew,
    () => memory.forget(1),
    () => memory.list().length,
  ].map((work) => {
    try {
      return work();
    } catch (error) {
      return String(error);
    }
  });
  process.stdout.write(JSON.stringify(tried));
}
for (let i = 0; i < Number(count); i++) {
  const text = `number ${name}x${i}x`;
  memory.save({ agent: 'ana', text, at: i, run: name, thunk: 'chat', key: `${name}/${i}` });
  memory.save({ agent: 'ana', text: `shared ${i}`, at: i, run: name, thunk: 'chat', key: `${name}/shared/${i}` });
  memory.addTurn({
    agent: 'ana',
    thread: 't',
    run: `${name}-${i}`,
    at: i,
    messages: [
      { role: 'user', content: text },
      { role: 'assistant', content: 'yes' },
    ],
  });
  process.stdout.write(`${i}\n`);
}
memory.close();
