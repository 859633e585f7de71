/**
 * `npx -y pnpm@12 exec node scripts/options.ts` writes anew what follows from the tables of options of
 * the commands: the inputs of the action, and the tables of the guides and READMEs.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describeOption, optionsTable } from '@partner-payments/command'
import { type CheckerOption, OPTIONS } from '../packages/conformance/src/cli/table.ts'
import { MOCK } from '../packages/mock/src/table.ts'
import { SANDBOX } from '../packages/sandbox/src/table.ts'

const ROOT = join(import.meta.dirname, '..')

/** A file with a part that follows from a table. */
interface Written {
  readonly file: string
  /** Replaces the part in the text of the file. */
  rewrite(text: string): string
}

export const WRITTEN: readonly Written[] = [
  findTable('packages/sandbox/README.md', '## Flags', optionsTable(SANDBOX.options)),
  findTable('packages/mock/README.md', '## Flags', optionsTable(MOCK.options)),
  findTable('packages/conformance/README.md', '## Command line', optionsTable(OPTIONS)),
  findTable('docs/guides/your-tools.md', '## GitHub Actions', inputsTable()),
  {
    file: 'action.yml',
    rewrite: (text) => text.replace(/(?<=^inputs:\n).*?(?=^outputs:)/ms, () => inputLines()),
  },
]

/**
 * A table in a page that this script writes: the first one below a heading. `rewrite` returns the
 * text of the page with the new table.
 */
function findTable(file: string, heading: string, table: string): Written {
  return {
    file,
    /** The text of the page with the new table. Throws an Error if the page has no table there. */
    rewrite(text) {
      const section = text.indexOf(`\n${heading}\n`)
      const start = text.indexOf('\n| ', section) + 1
      const end = text.indexOf('\n\n', start)
      const hasTable = section !== -1 && start !== 0 && end !== -1
      if (!hasTable) throw new Error(`${file} has no table below "${heading}"`)

      return text.slice(0, start) + table + text.slice(end)
    },
  }
}

/** An input of the action. */
interface Input {
  readonly name: string
  readonly description: string
  readonly isRequired?: true
}

/** The inputs of the GitHub action: its own, and options of the commands. */
function inputs(): readonly Input[] {
  return [
    {
      name: 'command',
      description: 'sandbox or mock, which run until the job ends, or check',
      isRequired: true,
    },
    ...checkInputs(),
    {
      name: 'port',
      description: `sandbox, mock: ${SANDBOX.options.port.help} (default: ${SANDBOX.options.port.default}, ${MOCK.options.port.default})`,
    },
    {
      name: 'options',
      description: 'more options of the command, one on each line, such as --settle-after 0',
    },
    {
      name: 'tarball',
      description:
        'path or URL of the tarball of the command line (default: that of the release of this action)',
    },
  ]
}

/** The inputs of the action that are options of the checker. */
function checkInputs(): readonly Input[] {
  const options: [string, CheckerOption][] = Object.entries(OPTIONS)
  const inputOptions = options.filter(([, { isInput }]) => isInput)
  return inputOptions.map(([name, option]) => ({
    name,
    description: `check: ${describeInput(option)}`,
  }))
}

function describeInput({ variable: _, ...option }: CheckerOption): string {
  const isSwitch = option.value === undefined
  return isSwitch ? `${describeOption(option)} (true or false)` : describeOption(option)
}

function inputsTable(): string {
  const rows = inputs().map(({ name, description }) => `| \`${name}\` | ${description} |`)
  return ['| Input | What it does |', '|---|---|', ...rows].join('\n')
}

/** The inputs as the lines of action.yml. */
function inputLines(): string {
  const lines = inputs().flatMap(({ name, description, isRequired }) => {
    const required = isRequired ? ['    required: true'] : []
    return [`  ${name}:`, `    description: '${description.replaceAll("'", "''")}'`, ...required]
  })
  return `${lines.join('\n')}\n`
}

if (import.meta.main) {
  for (const { file, rewrite } of WRITTEN) {
    const path = join(ROOT, file)
    writeFileSync(path, rewrite(readFileSync(path, 'utf8')))
  }
}
