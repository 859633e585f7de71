import { readFileSync } from 'node:fs'
import { format } from 'node:util'
import * as sandbox from '@partner-payments/sandbox'
import { expect, test } from 'vitest'
import { EXIT_CODES, OPTIONS } from '../src/cli/table.ts'
import * as conformance from '../src/index.ts'
import { CHECK_OPTIONS } from '../src/options.ts'

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
const [opening, faulty, watching, matching] = blocksOf('ts')

/** The code blocks of the README in one language. */
function blocksOf(language: string): string[] {
  const blocks = readme.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'))
  return [...blocks].map(([, text = '']) => text)
}

const PACKAGES = {
  '@partner-payments/conformance': conformance,
  '@partner-payments/sandbox': sandbox,
}
const AsyncFunction = Object.getPrototypeOf(async () => undefined).constructor

test.each([opening, faulty, watching])('it prints what program %# says', async (program = '') => {
  const printed: string[] = []
  const log = (...values: unknown[]) => printed.push(format(...values))
  const body = program.replaceAll(/^import (.*) from (.*)$/gm, 'const $1 = packages[$2]')
  await new AsyncFunction('packages', 'console', body)(PACKAGES, { log })
  const comments = [...program.matchAll(/console\.log\(.*\)(?: |\n)\/\/ (.*)/g)]
  const said = comments.map(([, line]) => line)
  expect(said.length).toBeGreaterThan(0)
  expect(printed).toEqual(said)
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
  const ofCommand = Object.keys(OPTIONS).map((name) => `--${name}`)
  const known = new Set([...ofCommand, '--help', '--version'])
  const used = [...readme.matchAll(/(?<=[ `])--(?!input)[a-z-]+/g)].map(([option]) => option)
  expect(used.filter((option) => !known.has(option))).toEqual([])
})

test('it lists the exit codes', () => {
  const [, table = ''] = /## Exit codes\n(.*?)\n## /s.exec(readme) ?? []
  const rows = [...table.matchAll(/^\| (\d+) \| (.*?)[.|:;]/gm)]
  const codes = rows.map(([, code, text]) => [Number(code), text?.trim()])
  expect(codes).toEqual(EXIT_CODES)
})
