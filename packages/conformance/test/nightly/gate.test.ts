import { expect, it } from 'vitest'
import { right, wrong } from '../gate.ts'

it.each(wrong)('names: $id', async ({ run }) => {
  expect(await run()).toEqual([])
})

it.each(right)('says nothing wrong of $id', async ({ run }) => {
  expect(await run()).toEqual([])
})
