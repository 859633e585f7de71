import { expect, it } from 'vitest'
import { right, rightAndSlow, rightAtMidnight, wrong } from '../gate.ts'

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

for (const { id, run } of rightAndSlow) {
  it(`says nothing wrong of ${id} where payments settle slowly`, async () => {
    expect(await run()).toEqual([])
  })
}

for (const { id, run } of rightAtMidnight) {
  it(`says nothing wrong of a sandbox ${id}`, async () => {
    expect(await run()).toEqual([])
  })
}
