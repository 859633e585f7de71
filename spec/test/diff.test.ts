import { expect, it } from 'vitest'
import { createDiff } from '../answer/diff.ts'

it.each(['one', 'two'])('begins the hunk of a change in line "%s" with its numbers', (line) => {
  const old = 'one\ntwo\nthree\nfour\nfive\n'
  const diff = createDiff(
    new Map([['a.yaml', old]]),
    new Map([['a.yaml', old.replace(line, 'changed')]]),
  )
  expect(diff).toContain('--- spec/a.yaml\n+++ spec/a.yaml\n@@ -1 +1 @@\n')
})
