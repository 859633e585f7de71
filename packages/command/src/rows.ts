import type { Option, Options } from './option.ts'

/** The name of an option among the values: `settleAfter` for `settle-after`. */
export function valueName(name: string): string {
  const words = name.replace(/^no-/, '')
  return words.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

/** An option as a user writes it, such as `--port <number>`. */
export function flagText(name: string, { value }: Option): string {
  return value === undefined ? `--${name}` : `--${name} <${value}>`
}

/** What an option does, with its choices, its default and its variable, in plain text. */
export function describeOption(option: Option): string {
  const { help, choices, variable } = option
  const standard = option.default ?? option.defaultInWords
  const notes: string[] = []
  if (choices) notes.push(choices.join(', '))
  if (standard !== undefined) notes.push(`default: ${standard}`)
  if (variable !== undefined) notes.push(`or ${variable} in the environment`)
  return notes.length === 0 ? help : `${help} (${notes.join('; ')})`
}

/** The options as a table in Markdown. */
export function optionsTable(options: Options): string {
  const rows = Object.entries(options).map(([name, option]) => {
    return `| \`${flagText(name, option)}\` | ${describeOption(option)} |`
  })
  return ['| Option | What it does |', '|---|---|', ...rows].join('\n')
}
