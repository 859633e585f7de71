import {
  type Arguments,
  type CommandTable,
  type Options,
  readArguments,
} from '@partner-payments/command'

/**
 * Reads the arguments of the process by the table of a command of this repository. Ends the process
 * with 0 after `--help`, and with 2 if an argument is wrong.
 *
 * @param name the name of its script in the package.json of the root
 * @param toSettings what to make of them; throws an error that says what is wrong
 */
export function readScriptArguments<const Table extends Options, Settings extends object>(
  name: string,
  table: CommandTable<Table>,
  toSettings: (given: Arguments<Table>) => Settings,
): Settings {
  const args = process.argv.slice(2)
  const settings = readArguments(table, args, { name: `npx -y pnpm@12 ${name}`, toSettings })
  if (typeof settings === 'number') process.exit(settings)
  return settings
}
