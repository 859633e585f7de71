import { expect, it } from 'vitest'
import { right, wrong } from '../gate.ts'

for (const { id, run } of wrong) {
  it(`names: ${id}`, async () => {
    expect(await run()).toEqual([])
  })
}

for (const { id, run } of right) {
  it(`says nothing wrong of ${id}`, async () => {
    expect(await run()).toEqual([])
  })
}
