import { beforeAll, expect, test } from 'vitest'
import { errorsIn, preparePackage } from './compile.ts'
import { TEMPLATES, type Template } from './templates.ts'

beforeAll(preparePackage)

const [next] = TEMPLATES as [Template]

// `nightly` compiles those of the other frameworks.
test('the receiver of Next.js compiles in a new project', async () => {
  expect(await errorsIn(next)).toBe('')
})

test('a receiver without the types of its runtime does not compile', async () => {
  expect(await errorsIn({ ...next, receiver: 'bun.ts' })).toContain("Cannot find name 'Bun'")
})
