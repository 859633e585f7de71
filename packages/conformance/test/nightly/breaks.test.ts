import { expect, test } from 'vitest'
import { type Break, breaks, TAKEN_BY_SANDBOX } from '../breaks/breaks.ts'
import { checkBroken, inWords, isNamed, isNoticed, type Side } from '../breaks/broken.ts'

/** Breaks of one run. Those that it names are noticed; each other one gets a run of its own. */
const TOGETHER = 6

const OF_SIDE: Readonly<Record<Side, readonly Break[]>> = {
  conformance: breaks,
  sandbox: breaks.filter(({ at }) => TAKEN_BY_SANDBOX.some((field) => field.test(at))),
}

test.each(Object.entries(OF_SIDE))(
  'it notices every broken field of spec/behaviour that only %s reads',
  async (side, all) => {
    const unnoticed: string[] = []
    const right = await checkBroken(side as Side, [])
    for (const together of apart(all)) {
      const shown = await checkBroken(side as Side, together)
      const unnamed = together.filter((one) => !isNamed(one, shown))
      for (const one of unnamed) {
        const alone = await checkBroken(side as Side, [one])
        if (!isNoticed(one, alone, right)) unnoticed.push(inWords(one))
      }
    }
    expect(unnoticed).toEqual([])
  },
)

/** Runs whose breaks are of different entries, so that each finding names one of them. */
function apart(all: readonly Break[]): Break[][] {
  const runs: Break[][] = []
  for (const one of all) {
    const fitting = runs.find(
      (run) => run.length < TOGETHER && run.every((other) => entryOf(other) !== entryOf(one)),
    )
    if (fitting) fitting.push(one)
    else runs.push([one])
  }
  return runs
}

function entryOf({ at }: Break): string {
  return at.split('/').slice(0, 3).join('/')
}
