// Runs a program with a limit of time; what it started ends with it.
import { spawn } from 'node:child_process';

/**
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ cwd: string, env: Readonly<Record<string, string>>, ms: number }} options
 * @returns {Promise<string | undefined>} what went wrong, if something did: one line
 */
export function bounded(command, args, { cwd, env, ms }) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      // A group of its own, to end it as a whole.
      detached: true,
    });
    let text = '';
    let isLate = false;
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        text = (text + chunk).slice(-20_000);
      });
    }
    const end = () => {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
      } catch {
        // The group has ended already.
      }
    };
    // A group of its own does not hear what ends us.
    const stop = () => {
      end();
      process.exit(130);
    };
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, stop);
    const timer = setTimeout(() => {
      isLate = true;
      end();
    }, ms);
    child.on('error', (error) => settle(error.message));
    child.on('exit', (code, signal) => {
      if (isLate) settle(`it took longer than ${ms / 1000} s`);
      else if (code === 0) settle(undefined);
      else settle(`${reasonIn(text) ?? 'it said nothing'} (${signal ?? `exit ${code}`})`);
    });

    /** @param {string | undefined} problem */
    function settle(problem) {
      clearTimeout(timer);
      for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.removeListener(signal, stop);
      end();
      resolve(problem);
    }
  });
}

/**
 * The line that says most.
 * @param {string} text
 */
function reasonIn(text) {
  const lines = text.split('\n').map((line) => line.trim());
  return (
    lines.find((line) => /error\b.*(notarget|404|:)|^\w*Error\b|cannot find/i.test(line)) ?? lines.findLast(Boolean)
  );
}
