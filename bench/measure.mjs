// What all benches share: the clock of the process, medians, and tables.

/** @returns {number} milliseconds of processor time this process has used, all threads */
export function cpu() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/**
 * @param {() => unknown} work
 * @returns {number} milliseconds of processor time
 */
export function cpuOf(work) {
  const start = cpu();
  work();
  return cpu() - start;
}

/** @param {readonly number[]} values */
export function median(values) {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

/**
 * The lower quartile: other work on the machine only ever adds to a time.
 * @param {readonly number[]} values
 */
export function quartile(values) {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 4)] ?? 0;
}

/**
 * Left-aligned first column, the others right-aligned.
 * @param {readonly (readonly string[])[]} rows the first is the heading
 */
export function tableOf(rows) {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  return rows
    .map((row) =>
      widths
        .map((width, column) => (column === 0 ? (row[0] ?? '').padEnd(width) : (row[column] ?? '').padStart(width)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/**
 * Whether a measured value keeps its goal: a miss is told, and only a gross one fails the run.
 * @param {number} value
 * @param {number} goal
 * @param {'most' | 'least'} sense
 * @param {number} [far] how many times it may miss: two, but of a time, which is another one on each machine
 * @returns {{ text: string, gross: boolean }}
 */
export function verdict(value, goal, sense, far = 2) {
  const times = sense === 'most' ? value / goal : goal / value;
  const text = times <= 1 ? 'holds' : times <= far ? 'MISSED' : 'MISSED BY FAR';
  return { text, gross: times > far };
}
