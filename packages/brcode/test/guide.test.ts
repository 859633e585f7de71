import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { expect, test } from 'vitest'
import * as hints from '../src/hints.ts'
import * as brcode from '../src/index.ts'

const pages = ['../../../docs/guides/reading-a-br-code.md', '../README.md']

for (const page of pages) {
  const text = readFileSync(new URL(page, import.meta.url), 'utf8')
  const blocks = [...text.matchAll(/```ts\n(.*?)```/gs)].map(([, block = '']) => block)

  test.each(blocks)(`${page}: an example prints the output in its comments: %s`, (block) => {
    const expected = [...block.matchAll(/console\.log.*?\/\/ ([^\n]*)/gs)].map(
      ([, comment]) => comment,
    )
    expect(expected.length).toBeGreaterThan(0)
    expect(printedBy(block)).toEqual(expected)
  })
}

function printedBy(block: string): string[] {
  const printed: string[] = []
  const console = { log: (...values: unknown[]) => printed.push(values.map(String).join(' ')) }
  const body = stripTypeScriptTypes(block)
    .replace(/import (\{.*?\}) from '@partner-payments\/brcode'/gs, 'const $1 = brcode')
    .replace(
      /import (\{.*?\}) from '@partner-payments\/brcode\/hints'/gs,
      'const $1 = entryOfHints',
    )
  new Function('brcode', 'entryOfHints', 'console', body)(brcode, hints, console)
  return printed
}
