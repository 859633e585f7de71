import { execFile, execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { serve } from '@partner-payments/sandbox'
import { expect, test } from 'vitest'
import { EXIT_CODES, FLAGS, meaningOf, usageOf } from '../src/cli/flags.ts'
import { CHECK_OPTIONS } from '../src/engine/option-table.ts'
import { PHASES } from '../src/engine/rule.ts'

const home = new URL('../', import.meta.url)
const CLI = fileURLToPath(new URL('src/cli.ts', home))
const readme = readFileSync(new URL('README.md', home), 'utf8')
const [opening, faulty, watching, matching] = blocksOf('ts')

test('every link of the README also works on npm', () => {
  const links = [...readme.matchAll(/\]\(([^)]+)\)/g)].map(([, link]) => link)
  expect(links.filter((link) => !link?.startsWith('https://'))).toEqual([])
})

test.each([
  ['that it opens with', opening, 2],
  ['with a service that forgets a header', faulty, 3],
  ['that watches a fetch', watching, 1],
])('the program %s prints what it says', (_, program, lines) => {
  const said = [...(program ?? '').matchAll(/console\.log\(.*\)(?: |\n)\/\/ (.*)/g)].map(([, line]) => line)
  expect(said).toHaveLength(lines)
  expect(run(program).trimEnd().split('\n')).toEqual(said)
})

test('the command prints what the README says about a sandbox', async () => {
  const sandbox = await serve({ port: 0 })
  // The number of rules changes, so the line is shortened.
  const here = (text = '') => text.replace('…\n', '').replaceAll('http://127.0.0.1:4020', sandbox.url)
  const [command] = blocksOf('sh')
  const [printed] = blocksOf('text')
  const script = `partner-payments-check() { '${process.execPath}' '${CLI}' "$@"; }\n${here(command)}`
  const { stdout } = await promisify(execFile)('bash', ['-c', script], { cwd: home }).finally(sandbox.close)
  expect(stdout).toContain(here(printed))
})

test('the README shows the tested example of the matcher', () => {
  const text = readFileSync(new URL('readme-matcher.test.ts', import.meta.url), 'utf8')
  expect(matching).toBe(text.replace('../src/vitest.ts', '@partner-payments/conformance/vitest'))
})

test('the README lists the flags with the same descriptions', () => {
  const rows = readme
    .match(/^\| `--[a-z].*$/gm)
    ?.filter((row) => row.split(' | ').length === 3)
    .map(plain)
  const commands = (all: readonly string[]) => all.join(', ').replace('rules', '--list-rules')
  expect(rows).toEqual(
    FLAGS.map((it) => `| ${usageOf(it)} | ${meaningOf(it)} | ${commands(it.commands ?? ['check'])} |`),
  )
})

test('the README lists the options of the code', () => {
  const [, table = ''] = /## Options\n(.*?)\n## /s.exec(readme) ?? []
  const named = [...table.matchAll(/^\| `(\w+)` \|/gm)].map(([, option]) => option)
  expect(named.toSorted()).toEqual(Object.keys(CHECK_OPTIONS).toSorted())
})

test('the README lists the phases of the code in order', () => {
  const [, table = ''] = /## Phases\n(.*?)\n## /s.exec(readme) ?? []
  expect([...table.matchAll(/^\| `(.*?)` \|/gm)].map(([, phase]) => phase)).toEqual([...PHASES])
})

test('the README lists the exit codes of the code', () => {
  const [, table = ''] = /## Exit codes\n(.*?)\n## /s.exec(readme) ?? []
  const codes = [...table.matchAll(/^\| (\d+) \| (.*?)[.|:;]/gm)].map(([, code, text]) => [
    Number(code),
    text?.trim(),
  ])
  expect(codes).toEqual(EXIT_CODES)
})

/** The code blocks of the README in one language. */
function blocksOf(language: string): string[] {
  const blocks = readme.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'))
  return [...blocks].map(([, text = '']) => text)
}

function run(program: string | undefined): string {
  const options = { cwd: home, input: program ?? '', encoding: 'utf8' } as const
  return execFileSync(process.execPath, ['--input-type=module-typescript', '-'], options)
}

/** A table row without Markdown syntax. */
function plain(row: string): string {
  return row.replaceAll('`', '').replaceAll('\\|', '|')
}
