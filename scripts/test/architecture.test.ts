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

it('names files that exist', () => {
  const codes = Array.from(text.matchAll(/`([^`\n]+)`/g), ([, code = '']) => code)
  const files = codes.filter((code) => /^[\w.-]+(\/[\w.{}*,-]+)+\/?$/.test(code))
  expect(files.length).toBeGreaterThan(20)
  expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([])
})
