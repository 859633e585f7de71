import { readFileSync } from 'node:fs'
import { expect, it, test } from 'vitest'
import { commands, expectPrinted, ROOT, useGuide } from './guide.ts'

useGuide()

test('the guide uses the command of the repository', () => {
  const { scripts } = JSON.parse(readFileSync(new URL('package.json', ROOT), 'utf8'))
  expect(scripts.check).toMatch(/ && node packages\/conformance\/src\/cli\.ts$/)
})

it('prints what the guide shows for its first check', () => expectPrinted(commands[0] ?? expect.fail()))
