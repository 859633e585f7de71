import { expect, test } from 'vitest'
import { inWords } from '../breaks/breaks.ts'
import { checkBroken, judge, type Side } from '../breaks/broken.ts'
import { OF_SIDE } from '../breaks/of-side.ts'

test.each(Object.entries(OF_SIDE))(
  'it names every broken field of spec/behaviour that only %s reads',
  async (side, all) => {
    const unnamed: string[] = []
    for await (const { broken, isNamed } of judge(side as Side, all))
      if (!isNamed) unnamed.push(inWords(broken))
    expect(unnamed).toEqual([])
  },
)

test('it finds nothing where both read the same', async () => {
  const { findings, entriesWithoutCase } = await checkBroken('conformance', [])
  expect({ findings, entriesWithoutCase }).toEqual({ findings: [], entriesWithoutCase: [] })
})
