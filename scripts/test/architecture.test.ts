import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { redraw } from '../architecture.ts'

const root = join(import.meta.dirname, '../..')
const text = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8')

it('draws the imports of the packages as they are; scripts/architecture.ts draws them anew', () => {
  expect(text).toBe(redraw(text))
  expect(text).toContain('  cli --> conformance')
})

it('names files that exist, and functions that stand in the file named before them', () => {
  let file = ''
  for (const [, code = ''] of text.matchAll(/`([^`\n]+)`/g)) {
    const isPath = /^[\w.-]+(\/[\w.{}*,-]+)+\/?$/.test(code)
    if (isPath) {
      expect(existsSync(join(root, code)), code).toBe(true)
      file = code
    }
    const [, name] = /^(\w+)\(\)$/.exec(code) ?? []
    if (name) expect(readFileSync(join(root, file), 'utf8'), `${file} ${name}`).toContain(name)
  }
})
