import type { Option, Options } from './option.ts'

/** The name of an option among the values: `settleAfter` for `settle-after`. */
export function valueName(name: string): string {
  const words = name.replace(/^no-/, '')
  return words.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

/** What a page says of each option: how it is written, and what it does. */
function optionRows(options: Options): readonly (readonly [flag: string, does: string])[] {
  return Object.entries(options).map(([name, option]) => [flagOf(name, option), describe(option)])
}

/** The options as a table in Markdown. */
export function optionsTable(options: Options): string {
  const rows = optionRows(options).map(([flag, does]) => `| \`${flag}\` | ${does} |`)
  return ['| Option | What it does |', '|---|---|', ...rows].join('\n')
}

function flagOf(name: string, { value }: Option): string {
  return value === undefined ? `--${name}` : `--${name} <${value}>`
}

function describe(option: Option): string {
  const notes: string[] = []
  if (option.choices) notes.push(option.choices.map((choice) => `\`${choice}\``).join(', '))
  if (option.default !== undefined) notes.push(`default: ${option.default}`)
  if (option.variable !== undefined) notes.push(`or \`${option.variable}\` in the environment`)
  return notes.length === 0 ? option.help : `${option.help} (${notes.join('; ')})`
}
