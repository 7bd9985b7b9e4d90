import { type Command, Argument } from 'commander';
import { SHELLS, type Shell, shellScript } from '@proto/terminal/commands';

export function declareCompletion(program: Command): void {
  program
    .command('completion')
    .description('write a script that lets your shell complete commands, options, values and files')
    .addArgument(new Argument('<shell>', 'the shell').choices(SHELLS))
    .addHelpText(
      'after',
      `
To use the script in every new shell:
  bash  echo 'source <(sjp completion bash)' >> ~/.bashrc
  zsh   echo 'source <(sjp completion zsh)' >> ~/.zshrc      (after compinit)
  fish  sjp completion fish > ~/.config/fish/completions/sjp.fish`,
    )
    .action((shell: Shell) => void process.stdout.write(shellScript(shell, program.name())));
  program
    .command('complete', { hidden: true })
    .description('write the completions of the last word; used by the scripts of `completion`')
    .helpOption(false)
    .argument('[words...]')
    .action(async (words: readonly string[]) => {
      const { completeWords } = await import('@proto/terminal/commands');
      const { candidates, also } = completeWords(program, words);
      const lines = candidates.map(({ word, description }) => `${word}\t${description.replaceAll(/\s+/g, ' ')}`);
      if (also !== undefined) lines.push(`:${also}`);
      process.stdout.write(lines.map((line) => `${line}\n`).join(''));
    });
}
