import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { createCommand, EXIT_CODES } from '../src/cli/command.ts'
import { CHECK_OPTIONS } from '../src/options.ts'

const home = fileURLToPath(new URL('../', import.meta.url))
const readme = readFileSync(`${home}/README.md`, 'utf8')
const [opening, faulty, watching, matching] = blocksOf('ts')

/** The code blocks of the README in one language. */
function blocksOf(language: string): string[] {
  const blocks = readme.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'))
  return [...blocks].map(([, text = '']) => text)
}

test('it prints what its programs say', () => {
  const programs = [opening, faulty, watching]
  // In one process, each in a block of its own.
  const input = programs
    .map((it = '') => `{${it.replaceAll(/^import (.*) from (.*)$/gm, 'const $1 = await import($2)')}}`)
    .join('\n')
    .replaceAll("'@partner-payments/conformance'", "'./src/index.ts'")
  const options = { cwd: home, input, encoding: 'utf8' } as const
  const printed = execFileSync(process.execPath, ['--input-type=module-typescript', '-'], options)
  const said = [...input.matchAll(/console\.log\(.*\)(?: |\n)\/\/ (.*)/g)].map(([, line]) => line)
  expect(said).toHaveLength(6)
  expect(printed.trimEnd().split('\n')).toEqual(said)
})

test('it links to pages that npm can open', () => {
  const links = [...readme.matchAll(/\]\(([^)]+)\)/g)].map(([, link]) => link)
  expect(links.filter((link) => !link?.startsWith('https://'))).toEqual([])
})

test('it shows the tested example of the matcher', () => {
  const text = readFileSync(new URL('readme-matcher.test.ts', import.meta.url), 'utf8')
  expect(matching).toBe(text.replace('../src/vitest.ts', '@partner-payments/conformance/vitest'))
})

test('it lists the options of check, and names no option that the command does not have', () => {
  const [, table = ''] = /## Options\n(.*?)\n## /s.exec(readme) ?? []
  const named = [...table.matchAll(/^\| `(\w+)` \|/gm)].map(([, option]) => option)
  expect(named.toSorted()).toEqual(Object.keys(CHECK_OPTIONS).toSorted())
  const known = createCommand('check', '0').options.map(({ long }) => long)
  const used = [...readme.matchAll(/(?<=[ `])--(?!input)[a-z-]+/g)].map(([option]) => option)
  expect(used.filter((it) => !known.includes(it) && !['--help', '--version'].includes(it))).toEqual([])
})

test('it lists the exit codes', () => {
  const [, table = ''] = /## Exit codes\n(.*?)\n## /s.exec(readme) ?? []
  const codes = [...table.matchAll(/^\| (\d+) \| (.*?)[.|:;]/gm)].map(([, code, text]) => [
    Number(code),
    text?.trim(),
  ])
  expect(codes).toEqual(EXIT_CODES)
})
