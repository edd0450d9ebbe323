import { CommanderError } from 'commander';
import { isJson, program } from './main.ts';

try {
  await program.parseAsync();
} catch (error) {
  const { fail } = await import('./output.ts');
  // Help and version are not mistakes, and commander has printed its own message for people.
  if (!(error instanceof CommanderError)) fail(error, isJson);
  else if (error.exitCode && isJson) fail(error, true);
  else process.exitCode = error.exitCode && 2;
}
