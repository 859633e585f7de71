import { beforeAll, expect, test } from 'vitest'
import { errorsIn, preparePackage } from '../compile.ts'
import { TEMPLATES } from '../templates.ts'

beforeAll(preparePackage)

test.each(TEMPLATES)('the receiver of $name compiles in a new project', async (template) => {
  expect(await errorsIn(template)).toBe('')
})
