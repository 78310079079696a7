import { readdirSync, readFileSync } from 'node:fs';

/** A process that is told apart from a later one with the same id by its start time. */
export type ProcessId = Readonly<{ pid: number; startTime: string; command: string }>;

/** All living descendants of a process; empty where there is no /proc. */
export function descendants(root: number): readonly ProcessId[] {
  const all = readProcesses();
  const found: ProcessId[] = [];
  const parents = new Set([root]);
  // A child has not always a higher id than its parent, so go round until nothing is added.
  for (let grew = true; grew;) {
    grew = false;
    for (const { parent, ...id } of all) {
      if (!parents.has(parent) || parents.has(id.pid)) continue;
      parents.add(id.pid);
      found.push(id);
      grew = true;
    }
  }
  return found;
}

/** Those of the given processes that still run. */
export function stillRunning(processes: readonly ProcessId[]): readonly ProcessId[] {
  const now = new Set(readProcesses().map(({ pid, startTime }) => `${pid} ${startTime}`));
  return processes.filter(({ pid, startTime }) => now.has(`${pid} ${startTime}`));
}

function readProcesses(): readonly (ProcessId & { readonly parent: number })[] {
  let names: string[];
  try {
    names = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
  return names.flatMap((name) => {
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
      // The command, in parentheses, may itself hold spaces and parentheses.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      const [state, parent] = fields;
      if (state === 'Z' || state === 'X') return [];
      const command = readFileSync(`/proc/${name}/cmdline`, 'utf8')
        .replaceAll('\0', ' ')
        .trim()
        .slice(0, 300);
      return [{ pid: Number(name), parent: Number(parent), startTime: fields[19] ?? '', command }];
    } catch {
      return []; // ended while we looked
    }
  });
}
