import { type ChildProcess, fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export interface Child<Message, Result> {
  pid: number;
  call(message: Message): Promise<Result>;
  stop(): void;
}

/** Forks a program of `programs/`. */
export function forkProgram<Message, Result>(name: string, env: Record<string, string> = {}): Child<Message, Result> {
  const path = fileURLToPath(new URL(`./programs/${name}.js`, import.meta.url));
  const forked: ChildProcess = fork(path, { env: { ...process.env, ...env } });
  return {
    pid: forked.pid as number,
    call: (message) =>
      new Promise((resolve, reject) => {
        const onExit = (code: number | null) => reject(new Error(`${name} exited with code ${code}`));
        forked.once('exit', onExit);
        forked.once('message', (reply: { result: Result; error?: string }) => {
          forked.off('exit', onExit);
          if (reply.error) reject(new Error(reply.error));
          else resolve(reply.result);
        });
        forked.send(message as object);
      }),
    stop: () => void forked.kill(),
  };
}

/** CPU time of a process so far, in seconds; NaN where there is no /proc. */
export function cpuSeconds(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) / 100;
  } catch {
    return Number.NaN;
  }
}

/** Resident memory in MB: current (`VmRSS`), peak (`VmHWM`) or without file pages (`RssAnon`). NaN without /proc. */
export function memoryMb(pid: number, field: 'VmRSS' | 'VmHWM' | 'RssAnon' = 'VmRSS'): number {
  try {
    return Number(new RegExp(`${field}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
  } catch {
    return Number.NaN;
  }
}
