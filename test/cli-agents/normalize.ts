/** Makes equal what differs from one run of a CLI to the next: folders, ids, times, and lists of what it happens to have. */

const uuid = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g;

/** Ids are numbered in the order in which they come, over all texts that it is given. */
export function evener(folders: Readonly<Record<string, string>>): (text: string) => string {
  const ids = new Map<string, string>();
  const numbered = (id: string): string => {
    const known = ids.get(id) ?? `00000000-0000-4000-8000-${String(ids.size + 1).padStart(12, '0')}`;
    ids.set(id, known);
    return known;
  };
  return (text) => {
    let even = text;
    for (const [folder, name] of Object.entries(folders)) {
      even = even
        .replaceAll(folder, name)
        .replaceAll(folder.replaceAll(/[^a-zA-Z0-9]/g, '-'), name.replaceAll('/', '-'));
    }
    return (
      even
        .replaceAll(/00000000-0000-4000-8000-00000000dead/g, 'NOSESSION')
        .replaceAll(uuid, numbered)
        .replaceAll('NOSESSION', '00000000-0000-4000-8000-00000000dead')
        .replaceAll(/\b20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, '2026-01-01T00:00:00.000Z')
        .replaceAll(/"([a-zA-Z_]*(?:_ms|Ms))":[\d.]+/g, '"$1":1')
        .replaceAll(/-20\d\d-\d\d-\d\dT[\d-]+Z\.json/g, '-2026-01-01T00-00-00-000Z.json')
        // Where in its program an error was thrown.
        .replaceAll(/^ {4}at .*\n/gm, '')
        .replaceAll(/"(task_id|agent_id|agentId|run_id)":"[0-9a-z-]+"/g, '"$1":"1"')
        .replaceAll(/"(end_time)":\d+/g, '"$1":1')
        .replaceAll(/cc-socks\/\d+\.sock/g, 'cc-socks/1.sock')
        .replaceAll(lists, (_all, name: string, first: string) => `"${name}":[${first}]`)
    );
  };
}

/** What Claude Code has on board is long, and says nothing about a run: the first of each. */
const lists =
  /"(slash_commands|terminal_slash_commands|capabilities|skills|agents|plugins)":\[("[^"]*"|\{[^}]*\})[^\]]*\]/g;
