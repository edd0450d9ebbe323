import type { Command } from 'commander';
import { UsageError } from './output.ts';

/** What can follow the words of a command: its subcommands or its options. */
interface Suggestions {
  /** Such as `webhook add`; empty for the program. */
  command: string;
  words: { text: string; about: string }[];
}

/** Prints a script that completes commands and options in a shell. It is static: no process is started per key. */
export function completion(program: Command, shell: string) {
  const script = scripts[shell];
  if (!script) throw new UsageError(`${shell} is not one of ${Object.keys(scripts).join(', ')}.`);
  console.log(script(program.name(), suggestionsOf(program, '')));
}

function suggestionsOf(command: Command, path: string): Suggestions[] {
  const options = command.createHelp().visibleOptions(command);
  const words = [
    ...command.commands.map((each) => ({ text: each.name(), about: each.description() })),
    ...options.map(({ long, description }) => ({ text: long ?? '', about: description })),
  ];
  const deeper = command.commands.flatMap((each) => suggestionsOf(each, `${path} ${each.name()}`.trim()));
  return [{ command: path, words }, ...deeper];
}

const scripts: Record<string, (name: string, all: Suggestions[]) => string> = {
  bash: bashScript,
  zsh: (name, all) => `#compdef ${name}\nautoload -U +X bashcompinit && bashcompinit\n${bashScript(name, all)}`,
  fish: fishScript,
};

/** Walks the words before the cursor to the longest command they name; file names complete after it. */
function bashScript(name: string, all: Suggestions[]): string {
  const known = all.map(({ command }) => `"${command}"`).filter((command) => command !== '""');
  const cases = all.map(
    ({ command, words }) => `    "${command}") words="${words.map(({ text }) => text).join(' ')}" ;;`,
  );
  return `_${name.replace('-', '_')}() {
  local command="" words="" word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "\${command:+$command }$word" in
      ${known.join('|')}) command="\${command:+$command }$word" ;;
    esac
  done
  case "$command" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _${name.replace('-', '_')} ${name}`;
}

function fishScript(name: string, all: Suggestions[]): string {
  const quoted = (text: string) => `'${text.replace(/[\\']/g, '\\$&')}'`;
  const lines = all.flatMap(({ command, words }) => {
    const path = command ? command.split(' ') : [];
    const isCommand = words.some(({ text }) => !text.startsWith('-'));
    const next = words.filter(({ text }) => !text.startsWith('-')).map(({ text }) => text);
    const seen = path.map((word) => `__fish_seen_subcommand_from ${word}`);
    const unseen = isCommand ? [`not __fish_seen_subcommand_from ${next.join(' ')}`] : [];
    const condition = [...seen, ...unseen].join('; and ');
    return words.map(({ text, about }) => {
      const word = text.startsWith('--') ? `-l ${text.slice(2)}` : `-f -a ${text}`;
      return `complete -c ${name}${condition && ` -n ${quoted(condition)}`} ${word} -d ${quoted(about)}`;
    });
  });
  return lines.join('\n');
}
