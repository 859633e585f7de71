import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')
const BIOME = join(ROOT, 'node_modules/.bin/biome')

it('refuses forms that only save lines, and nothing that only looks alike', () => {
  const messages = lint([
    'export const code = { a: 1, ...{ b, c } }',
    'export const codes = [1, ...[2, 3]]',
    'export const [one, two] = [1, 2]',
    "export const [three, four] = ['a', 'b'].map(read)",
    'export const reason = Object(error).code',
    "export const text = isLate && 'late'",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is a template of the linted source
    'export const isRetried = /timeout|http429/.test(`http${status}`)',
    'export const size = a ? 1 : b ? 2 : 3',
    'export const last = (first(), second())',
    'export const copy = { ...other, b }',
    'export const more = [...others, 2]',
    'export const [head] = read()',
    'export const isBoth = isLate && isPaid',
    'export const ids = [0, ...[1, 2].map(read)]',
    'export const titles = [0, ...others.map(read)]',
  ])
  expect(messages).toEqual([
    '1: Write each field on its own line, without the spread of a literal.',
    '2: Write the items in place, without the spread of a literal.',
    '3: Declare each value on its own line, without an array of one use.',
    '4: Declare each value on its own line, without an array of one use.',
    '5: Narrow the unknown value with a condition.',
    '6: Choose a text with an if.',
    '7: Compare the values. A regular expression is for text.',
    '8: Do not nest ternary expressions.',
    '9: The comma operator is disallowed.',
    '14: Name the list, or write its items in place.',
  ])
})

/** The errors of the lint of this repository, as `line: message`. */
function lint(lines: readonly string[]): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'packing-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'sample.ts')
  writeFileSync(file, lines.join('\n'))

  const config = `--config-path=${join(ROOT, 'biome.json')}`
  const args = ['lint', config, '--vcs-enabled=false', '--reporter=github', file]
  const { stdout } = spawnSync(BIOME, args, { encoding: 'utf8' })
  const errors = stdout.matchAll(/^::error .*,line=(\d+),.*?::(.*)$/gm)
  const messages = [...errors].map(([, line, message]) => `${line}: ${message}`)
  return messages.sort((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10))
}
