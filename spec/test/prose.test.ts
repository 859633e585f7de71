import { expect, it } from 'vitest'
import { SPEC } from '../build/build.ts'
import { ASSUMED, isMarkedWhole, isNode, MARK, marksOf } from '../lint/marks.ts'
import { bundleContracts } from '../lint/redocly.ts'

/**
 * No rule can compare prose with the facts, so this snapshot shows reviewers each sentence once.
 */
it('the unmarked sentences match the snapshot', async () => {
  // The source descriptions, without the assumptions that the build adds.
  const { contracts } = await bundleContracts(SPEC)
  const lines = proseIn(contracts.openapi, '')
  const ofGuide = proseIn(contracts.guide, '').filter((line) => !lines.includes(line))
  const prose = [...lines, ...ofGuide.map((line) => `guide ${line}`)]
  await expect(`${prose.join('\n')}\n`).toMatchFileSnapshot('prose.txt')
})

const SKIPPED: ReadonlySet<string> = new Set(['examples', MARK, ASSUMED])
const PROSE: ReadonlySet<string> = new Set(['summary', 'description'])

function proseIn(value: unknown, at: string): string[] {
  if (typeof value !== 'object' || value === null) return []
  if (isNode(value) && isMarkedWhole(value)) return []

  const assumed = isNode(value) ? marksOf(value).map(({ keyword }) => keyword) : []
  return Object.entries(value).flatMap(([name, child]) => {
    if (SKIPPED.has(name) || assumed.includes(name)) return []
    const isProse = PROSE.has(name) && typeof child === 'string'
    return isProse ? [`${at} ${name}: ${child.trim()}`] : proseIn(child, `${at}/${name}`)
  })
}
