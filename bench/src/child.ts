import { type ChildProcess, fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export interface Child<Question, Result> {
  pid: number;
  ask(question: Question): Promise<Result>;
  stop(): void;
}

/** One of the programs in `programs/`, in a process of its own. */
export function child<Question, Result>(name: string, env: Record<string, string> = {}): Child<Question, Result> {
  const path = fileURLToPath(new URL(`./programs/${name}.js`, import.meta.url));
  const forked: ChildProcess = fork(path, { env: { ...process.env, ...env } });
  return {
    pid: forked.pid as number,
    ask: (question) =>
      new Promise((resolve, reject) => {
        const gone = (code: number | null) => reject(new Error(`${name} ended with ${code}`));
        forked.once('exit', gone);
        forked.once('message', (answer: { result: Result; error?: string }) => {
          forked.off('exit', gone);
          if (answer.error) reject(new Error(answer.error));
          else resolve(answer.result);
        });
        forked.send(question as object);
      }),
    stop: () => void forked.kill(),
  };
}

/** Seconds of processor time that a process has used, where the system tells. */
export function processorTime(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) / 100;
  } catch {
    return Number.NaN;
  }
}

/** Megabytes in memory now (`VmRSS`) or at most so far (`VmHWM`). */
export function memory(pid: number, field: 'VmRSS' | 'VmHWM' = 'VmRSS'): number {
  try {
    return Number(new RegExp(`${field}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
  } catch {
    return Number.NaN;
  }
}
