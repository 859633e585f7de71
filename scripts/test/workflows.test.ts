import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const WORKFLOWS = new URL('../../.github/workflows/', import.meta.url)

it('pins every action of the workflows by its commit, with its version in a comment', () => {
  const lines = readdirSync(WORKFLOWS)
    .flatMap((file) => readFileSync(new URL(file, WORKFLOWS), 'utf8').split('\n'))
    .filter((line) => /^\s*(- )?uses:/.test(line))
  expect(lines.length).toBeGreaterThan(5)
  expect(lines.filter((line) => !/@[\da-f]{40} # v\d+\.\d+\.\d+$/.test(line))).toEqual([])
})
