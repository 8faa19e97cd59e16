/** Scripts for shell completion, generated from the registered commands. */
import type { Command } from 'commander';
import { EXIT_SOLVED } from '../exit.ts';
import { writeText } from '../terminal/output.ts';

interface CompletedOption {
  readonly flag: string;
  readonly takesValue: boolean;
  readonly description: string;
}

interface CompletedCommand {
  readonly name: string;
  readonly description: string;
  readonly options: readonly CompletedOption[];
}

/** @param program its commands are completed @returns the exit status */
export async function run([shell = '']: readonly string[], _: unknown, program: Command): Promise<number> {
  writeText(SCRIPTS[shell]!(commandsOf(program)), process.stdout);
  return EXIT_SOLVED;
}

function commandsOf(program: Command): CompletedCommand[] {
  return program.commands.map((command) => ({
    name: command.name(),
    description: command.description(),
    options: [
      ...[...command.options, ...program.createHelp().visibleGlobalOptions(command)].flatMap(
        ({ short, long, required, description }) =>
          [short, long]
            .filter((flag) => flag !== undefined)
            .map((flag) => ({ flag, takesValue: required, description })),
      ),
      { flag: '--help', takesValue: false, description: 'display help for command' },
    ],
  }));
}

const SCRIPTS: Readonly<Record<string, (commands: readonly CompletedCommand[]) => string>> = {
  bash: bashScript,
  // zsh runs the scripts of bash.
  zsh: (commands) => `autoload -Uz bashcompinit && bashcompinit\n${bashScript(commands)}`,
  fish: fishScript,
};

/** Completes commands and options; for arguments and option values, bash falls back to file names. */
function bashScript(commands: readonly CompletedCommand[]): string {
  const cases = commands.map(({ name, options }) => {
    const flags = options.map(({ flag }) => flag).join(' ');
    const valued = options.filter(({ takesValue }) => takesValue).map(({ flag }) => flag);
    const stop = valued.length === 0 ? '' : `\n      case "$before" in ${valued.join('|')}) return ;; esac`;
    return `    ${name})${stop}\n      flags="${flags}" ;;`;
  });
  return `_dlx_batch() {
  local word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" flags=""
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${commands.map(({ name }) => name).join(' ')}" -- "$word"))
    return
  fi
  case "\${COMP_WORDS[1]}" in
${cases.join('\n')}
  esac
  case "$word" in -*) COMPREPLY=($(compgen -W "$flags" -- "$word")) ;; esac
}
complete -o default -F _dlx_batch dlx-batch
`;
}

function fishScript(commands: readonly CompletedCommand[]): string {
  const lines = commands.flatMap(({ name, description, options }) => [
    `complete -c dlx-batch -n __fish_use_subcommand -f -a ${name} -d ${quoted(description)}`,
    ...options.map(({ flag, takesValue, description: text }) => {
      const form = flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`;
      const value = takesValue ? ' -r' : '';
      return `complete -c dlx-batch -n '__fish_seen_subcommand_from ${name}' ${form}${value} -d ${quoted(text)}`;
    }),
  ]);
  return `${lines.join('\n')}\n`;
}

/** Quotes a text so that no shell changes it. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
